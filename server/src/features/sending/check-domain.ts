import type { Runner } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { checkDkim } from './dns/dkim.js';
import { checkDmarc } from './dns/dmarc.js';
import { type DnsResolver, type Lookups, unlessSilent, type Verdict } from './dns/lookups.js';
import { checkPointer, checkReturnPath } from './dns/pointer.js';
import { checkSpf } from './dns/spf.js';
import { giveKey } from './domain-keys.js';
import { type DomainRow, findDomain, updateSeen } from './queries.js';
import { dkimNameOf, type Hosts, isVerified, recordsOf, remember, type Wanted } from './records.js';

/** With its key, which is made here if it has none. */
async function getDomain(db: Runner, box: SecretBox, tenantId: number, domain: string): Promise<DomainRow> {
  let row = await findDomain(db, tenantId, domain);
  if (row && !row.selector) {
    await giveKey(db, box, tenantId, domain);
    row = await findDomain(db, tenantId, domain);
  }
  if (!row) throw notFound('sending domain');
  return row;
}

/** Looks up all records at once and stores the result. No transaction is open meanwhile. */
export async function checkDomain(
  db: Runner,
  box: SecretBox,
  resolver: DnsResolver,
  hosts: Hosts,
  tenantId: number,
  domain: string,
): Promise<DomainRow> {
  const row = await getDomain(db, box, tenantId, domain);
  const records = recordsOf(row, hosts);
  const verdicts = await judge(resolver, row, records, hosts);
  const seen = remember(records, verdicts, row.seen);
  const stored = await updateSeen(db, tenantId, row, seen, isVerified(seen));
  if (!stored) throw notFound('sending domain');
  return stored;
}

async function judge(
  resolver: DnsResolver,
  row: DomainRow,
  records: readonly Wanted[],
  hosts: Hosts,
): Promise<Verdict[]> {
  const dns = resolver();
  try {
    const dkim = unlessSilent(checkDkim(dns, dkimNameOf(row), row.publicKey ?? ''));
    return await Promise.all(records.map((record) => unlessSilent(judgeOne(dns, record, row.domain, hosts, dkim))));
  } finally {
    dns.end();
  }
}

async function judgeOne(
  dns: Lookups,
  { purpose, name }: Wanted,
  domain: string,
  { mailHost, linkHost, spfTerm }: Hosts,
  dkim: Promise<Verdict>,
): Promise<Verdict> {
  switch (purpose) {
    case 'dkim':
      return dkim;
    case 'spf':
      return checkSpf(dns, domain, spfTerm);
    case 'dmarc':
      return checkDmarc(dns, domain, !['missing', 'wrong'].includes((await dkim).state));
    case 'return-path':
      return checkReturnPath(dns, name, mailHost, spfTerm);
    case 'tracking':
      return checkPointer(dns, name, linkHost ?? '');
  }
}
