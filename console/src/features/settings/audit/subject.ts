// What an audit log entry is about: its name if the log has kept one, and its page if it has one.
import type { DataValue, listAuditLog } from '@rapport/contract';
import { audit as t } from '../../../texts/settings-access.ts';

export type AuditEntry = DataValue<typeof listAuditLog>;

type About = Pick<AuditEntry, 'action' | 'subject' | 'subjectName'>;

const ofContacts = /^(?:contact|suppression)\./;

/** Its name; otherwise what is known: the exported file, that it is deleted, or its id. */
export function subjectText({ action, subject, subjectName }: About): string | null {
  if (subject === null || subjectName !== null) return subjectName;
  if (action === 'report.exported') return t.files[subject] ?? subject;
  return ofContacts.test(action) ? t.erasedContact : subject;
}

/** The settings page that shows what an entry is about. */
const tabs: Readonly<Record<string, string>> = {
  ...{ person: 'people', invitation: 'people', 'sign-in': 'people', 'second-factor': 'people', password: 'people' },
  ...{ 'recovery-codes': 'people', account: 'people', 'sso-domain': 'sso' },
  ...{ token: 'tokens', app: 'apps', 'sending-domain': 'domains', 'mail-hook': 'hooks', 'identity-provider': 'sso' },
};
const isGone = /\.(?:deleted|erased|removed|revoked|disconnected)$/;

export function subjectPage({ action, subject, subjectName }: About): string | undefined {
  if (subject === null || isGone.test(action)) return undefined;
  const [kind = ''] = action.split('.');
  if (ofContacts.test(action)) return subjectName === null ? undefined : `/contacts/${encodeURIComponent(subject)}`;
  if (kind === 'journey' || kind === 'webhook') return `/${kind}s/${encodeURIComponent(subject)}`;
  return tabs[kind] && `/settings/${tabs[kind]}`;
}
