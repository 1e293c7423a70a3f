// Domains of single sign-on: an address leads to a provider only once DNS shows that the domain belongs to the workspace.
import type { Database, Runner, Transaction } from '../../../../db/database.js';
import { randomBytes } from '../../../../lib/random.js';
import { type Actor, recordAudit } from '../../../audit/index.js';
import { type DnsResolver, type Lookups, unlessSilent, type Verdict } from '../../../sending/index.js';
import {
  deleteUnnamedDomains,
  insertDomains,
  type ProofRow,
  selectDueDomains,
  selectProofs,
  updateProof,
} from './queries.js';

/** A domain of a provider, as the API shows it. */
interface DomainProof {
  domain: string;
  isProven: boolean;
  record: { type: 'TXT'; name: string; value: string };
  state: ProofRow['state'];
  detail: string;
  checkedAt: string | null;
}

const nameOf = (domain: string) => `_rapport-sso.${domain}`;
const textOf = (word: string) => `rapport-sso=${word}`;
const unseen = 'Not checked yet. Publish the record, then check the domain.';

function shownProof({ domain, word, state, detail, checkedAt, isProven }: ProofRow): DomainProof {
  const record = { type: 'TXT' as const, name: nameOf(domain), value: textOf(word) };
  return { domain, isProven, record, state, detail: detail ?? unseen, checkedAt };
}

/** After the domains of a provider changed: new ones get a word to publish, and those that no provider names any more are forgotten. */
export async function settleDomains(tx: Transaction, tenantId: number, domains: readonly string[]): Promise<void> {
  await insertDomains(
    tx,
    tenantId,
    domains.map((domain) => ({ domain, word: randomBytes(24).toString('base64url') })),
  );
  await deleteUnnamedDomains(tx, tenantId);
}

/** In the order of `domains`. */
export async function proofsOf(db: Runner, tenantId: number, domains: readonly string[]): Promise<DomainProof[]> {
  const known = new Map((await selectProofs(db, tenantId, domains)).map((row) => [row.domain, row]));
  return domains.flatMap((domain) => {
    const row = known.get(domain);
    return row ? [shownProof(row)] : [];
  });
}

/** Looks them up and stores what it saw. No transaction is open meanwhile. If DNS does not answer, nothing changes. */
export async function checkProofs(
  db: Database,
  resolver: DnsResolver,
  actor: Actor,
  domains: readonly string[],
): Promise<void> {
  const { tenantId } = actor;
  const rows = await selectProofs(db, tenantId, domains);
  const dns = resolver();
  try {
    const verdicts = await Promise.all(rows.map((row) => unlessSilent(judge(dns, row))));
    for (const [i, row] of rows.entries()) await noteVerdict(db, actor, row, verdicts[i] as Verdict);
  } finally {
    dns.end();
  }
}

async function judge(dns: Lookups, { domain, word }: ProofRow): Promise<Verdict> {
  const name = nameOf(domain);
  const found = await dns.txt(name);
  if (found.some((text) => text.trim() === textOf(word)))
    return { state: 'found', detail: 'The domain is yours. Keep the record: it is looked up again every day.' };
  return found.length === 0
    ? { state: 'missing', detail: `There is no TXT record at ${name}. Publish one with this value.` }
    : {
        state: 'wrong',
        detail: `The TXT record at ${name} has another value. Publish this one beside it, or instead.`,
      };
}

async function noteVerdict(db: Database, actor: Actor, row: ProofRow, { state, detail }: Verdict): Promise<void> {
  await db.transaction(async (tx) => {
    const change = await updateProof(tx, actor.tenantId, { ...row, state, detail });
    if (change) await recordAudit(tx, actor, change, row.domain);
  });
}

// Domains that are looked up in one turn of the chore.
const step = 100;

/** Proven ones are looked up once a day: a domain may have a new owner by now. */
export async function recheckProofs(db: Database, resolver: DnsResolver, signal: AbortSignal): Promise<void> {
  for (const { tenantId, domain } of await selectDueDomains(db.background, step)) {
    if (signal.aborted) return;
    await checkProofs(db, resolver, { tenantId, accountId: null, address: null }, [domain]);
  }
}
