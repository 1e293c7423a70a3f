// What entries of the audit log are about, by name. The log keeps only ids of people and contacts, whose names are looked up now. For
// everything else it kept the name when the thing was made, so that deleted things have one too.
import type { Runner } from '../../db/database.js';
import { parseJson } from '../../lib/parse-json.js';
import { selectInvitedAddresses } from '../accounts/index.js';
import { type AuditAction, auditActions } from '../audit/index.js';
import { selectEmails } from '../contacts/index.js';
import { isNumber, selectAccountNames } from '../tenants/index.js';
import { type EntryRow, selectMade } from './queries.js';

type Subject = Pick<EntryRow, 'action' | 'subject' | 'detail'>;
type Source = 'account' | 'invitation' | 'contact' | 'log' | 'itself' | 'none';
type Kind<Action> = Action extends `${infer First}.${string}` ? First : Action;

/** Where the name of an entry's subject is found, by the first word of its action. */
const sources: Readonly<Record<Kind<AuditAction>, Source>> = {
  ...{ person: 'account', 'sign-in': 'account', 'sign-out': 'account', password: 'account' },
  ...{ 'second-factor': 'account', 'recovery-codes': 'account', invitation: 'invitation' },
  ...{ contact: 'contact', suppression: 'contact', 'sending-domain': 'itself', 'sso-domain': 'itself' },
  ...{ token: 'log', app: 'log', 'mail-hook': 'log', 'identity-provider': 'log', webhook: 'log', account: 'log' },
  ...{
    journey: 'log',
    broadcast: 'log',
    topic: 'log',
    form: 'log',
    file: 'log',
    'saved-block': 'log',
    workspace: 'none',
    transport: 'none',
    'alert-webhook': 'none',
    sending: 'none',
    report: 'none',
    agent: 'itself',
  },
};
const makes = /\.(?:added|created|connected|changed|uploaded)$/;

const kindOf = (action: string): string => action.slice(0, `${action}.`.indexOf('.'));

function sourceOf(action: string): Source {
  // It is about the invitation: there is no person yet.
  if (action === 'person.invited') return 'invitation';
  return (sources as Readonly<Record<string, Source>>)[kindOf(action)] ?? 'none';
}

/** One name for each entry, in their order; null if it is unknown. */
export async function nameSubjects(
  db: Runner,
  tenantId: number,
  entries: readonly Subject[],
): Promise<(string | null)[]> {
  const idsOf = (source: Source) => [
    ...new Set(entries.flatMap(({ action, subject }) => (subject && sourceOf(action) === source ? subject : []))),
  ];
  const numbers = (source: Source) => idsOf(source).filter(isNumber).map(Number);
  const kinds = new Set(entries.map(({ action }) => kindOf(action)));
  const made = auditActions.filter((action) => makes.test(action) && kinds.has(kindOf(action)));
  const [accounts, addresses, emails, log] = [
    await selectAccountNames(db, tenantId, numbers('account')),
    await selectInvitedAddresses(db, tenantId, numbers('invitation')),
    await selectEmails(db, tenantId, idsOf('contact').filter(isContactId)),
    await selectMade(db, tenantId, made, idsOf('log')),
  ];
  const inLog = new Map(log.map(({ action, subject, detail }) => [`${kindOf(action)} ${subject}`, nameIn(detail)]));
  const find: Record<Source, (subject: string, entry: Subject) => string | undefined> = {
    account: (subject) => accounts.get(Number(subject)),
    invitation: (subject) => addresses.get(Number(subject)),
    contact: (subject) => emails.get(subject),
    log: (subject, { action, detail }) => nameIn(detail) ?? inLog.get(`${kindOf(action)} ${subject}`),
    itself: (subject) => subject,
    none: () => undefined,
  };
  return entries.map((entry) =>
    entry.subject === null ? null : (find[sourceOf(entry.action)](entry.subject, entry) ?? null),
  );
}

const isContactId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

function nameIn(detail: string): string | undefined {
  const { name, provider, host } = parseJson(detail) as Record<string, unknown>;
  return [name, provider, host].find((each): each is string => typeof each === 'string' && each !== '');
}
