// What to publish for a domain, and what the last check found.
import { isIP, isIPv4 } from 'node:net';
import {
  type DataValue,
  type listSendingDomains,
  placeholderHost,
  type RecordPurpose,
  type RecordType,
} from '@rapport/contract';
import { dkimRecord } from './dns/dkim.js';
import type { Verdict } from './dns/lookups.js';
import type { DomainRow, Seen } from './queries.js';

/** The names of this installation that records point to. */
export interface Hosts {
  /** Where bounces arrive and, unless SPF_INCLUDE says otherwise, whose SPF record names the machines that send. */
  mailHost: string;
  /** The term of an SPF record that lets our mail through. */
  spfTerm: string;
  /** Where links lead. Null: only to BASE_URL, and no record is asked for. */
  linkHost: string | null;
}

/** Whether an address leads only to the machine that follows it. */
export function isLocal(baseUrl: string): boolean {
  const host = hostIn(baseUrl);
  return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|::1?)$/.test(host);
}

function hostIn(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).hostname.replace(/^\[|\]$/g, '') : 'localhost';
}

/** @param mailHost the host of `baseUrl` by default. @param hasLinkNames whether links use names of the domains. */
export function hostsOf(
  baseUrl: string,
  mailHost: string | undefined,
  spfInclude: string | undefined,
  hasLinkNames = true,
): Hosts {
  const ownHost = isLocal(baseUrl) ? placeholderHost : hostIn(baseUrl);
  const linkHost = hasLinkNames ? ownHost : null;
  const host = mailHost ?? ownHost;
  const own = isIP(host) ? `${isIPv4(host) ? 'ip4' : 'ip6'}:${host}` : `include:${host}`;
  return { mailHost: host, linkHost, spfTerm: spfInclude ? `include:${spfInclude}` : own };
}

export interface Wanted {
  purpose: RecordPurpose;
  type: RecordType;
  name: string;
  value: string;
}

// People do not type these names, so they may say what they are for.
const [returnPathLabel, trackingLabel] = ['bounces', 'links'];

export function returnPathOf(domain: string): string {
  return `${returnPathLabel}.${domain}`;
}

export function trackingOf(domain: string): string {
  return `${trackingLabel}.${domain}`;
}

export function dkimNameOf({ domain, selector }: DomainRow): string {
  return `${selector}._domainkey.${domain}`;
}

export function recordsOf(row: DomainRow, { mailHost, spfTerm, linkHost }: Hosts): Wanted[] {
  const { domain, publicKey } = row;
  const dkim: Wanted[] = publicKey
    ? [{ purpose: 'dkim', type: 'TXT', name: dkimNameOf(row), value: dkimRecord(publicKey) }]
    : [];
  const tracking: Wanted[] =
    linkHost === null
      ? []
      : [{ purpose: 'tracking', type: pointerType(linkHost), name: trackingOf(domain), value: linkHost }];
  return [
    ...dkim,
    { purpose: 'spf', type: 'TXT', name: domain, value: `v=spf1 ${spfTerm} ~all` },
    { purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' },
    { purpose: 'return-path', type: pointerType(mailHost), name: returnPathOf(domain), value: mailHost },
    ...tracking,
  ];
}

// An installation without a name has only its address.
function pointerType(host: string): RecordType {
  if (!isIP(host)) return 'CNAME';
  return isIPv4(host) ? 'A' : 'AAAA';
}

const unset: Verdict = {
  state: 'unknown',
  detail: 'Do not publish this yet: BASE_URL is not set, so its target is unknown. Set it, then reload this page.',
};
const unseen: Verdict = { state: 'unknown', detail: 'Not checked yet. Publish the record, then check the domain.' };

/** A domain as the API shows it. A verdict on another value, from other settings, no longer counts. */
export function shown(row: DomainRow, hosts: Hosts): DataValue<typeof listSendingDomains> {
  return {
    domain: row.domain,
    sharedUntil: row.sharedUntil,
    status: row.isVerified ? 'verified' : 'unverified',
    records: recordsOf(row, hosts).map((record) => {
      const seen = row.seen?.[record.purpose];
      const told = seen && seen.value === record.value ? seen : unseen;
      const { state, detail } = record.value.includes(placeholderHost) ? unset : told;
      return { ...record, state, detail };
    }),
  };
}

/** What is kept of a check. `last` is the last answer of DNS: no answer changes nothing. */
export function remember(records: readonly Wanted[], verdicts: readonly Verdict[], before: Seen | null): Seen {
  const seen: Seen = {};
  records.forEach(({ purpose, value }, i) => {
    const { state, detail } = verdicts[i] as Verdict;
    const earlier = before?.[purpose];
    const last = state === 'unknown' && earlier?.value === value ? earlier.last : state;
    seen[purpose] = { value, state, detail, last };
  });
  return seen;
}

/** DKIM alone is enough for DMARC. SPF is asked for because large receivers want both. */
export function isVerified(seen: Seen): boolean {
  const isFound = (purpose: RecordPurpose) => seen[purpose]?.last === 'found';
  return isFound('dkim') && (isFound('spf') || isFound('return-path'));
}
