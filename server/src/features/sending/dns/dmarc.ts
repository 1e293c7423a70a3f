// Which DMARC policy holds for a domain (RFC 9989: found by a walk up the DNS tree, not by a list of suffixes).
import type { Lookups, Verdict } from './lookups.js';
import { readTags, startsWithVersion } from './tags.js';

interface Policy {
  /** Where the record is: the domain itself, or one above. */
  at: string;
  /** What receivers do with mail of the domain that fails. */
  action: 'none' | 'quarantine' | 'reject';
  tags: Map<string, string>;
}

// A walk asks for the domain itself, then for its last seven labels, then six, and so on.
const mostLabels = 7;
const actions = ['none', 'quarantine', 'reject'] as const;

/** The names that a walk asks for, in its order. */
export function walkOf(domain: string): string[] {
  const labels = domain.split('.');
  const rest = labels.slice(Math.max(1, labels.length - mostLabels));
  return [domain, ...rest.map((_, i) => rest.slice(i).join('.'))];
}

type Found = { at: string; tags: Map<string, string> };

/** The records of a walk, from the domain up. One that says whether it is a public suffix ends it. */
async function walk(dns: Lookups, domain: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const at of walkOf(domain)) {
    const [tags, ...more] = await recordsAt(dns, at);
    // Several count as none.
    if (!tags || more.length > 0) continue;
    found.push({ at, tags });
    if (/^[ny]$/i.test(tags.get('psd') ?? '')) break;
  }
  return found;
}

async function recordsAt(dns: Lookups, domain: string): Promise<Map<string, string>[]> {
  const texts = await dns.txt(`_dmarc.${domain}`);
  return texts.map(readTags).filter((tags) => tags !== undefined && startsWithVersion(tags, 'DMARC1')) as Map<
    string,
    string
  >[];
}

/** The domain that stands for the whole organization: section 4.10.2. */
function organizationOf(domain: string, found: readonly Found[]): string {
  for (const { at, tags } of found) {
    const psd = tags.get('psd')?.toLowerCase();
    if (psd === 'n') return at;
    if (psd === 'y' && at !== domain)
      return domain
        .split('.')
        .slice(-at.split('.').length - 1)
        .join('.');
  }
  return found.at(-1)?.at ?? domain;
}

/** The policy of the domain itself, else of its organization, else of the public suffix. */
export async function findPolicy(dns: Lookups, domain: string): Promise<Policy | undefined> {
  const found = await walk(dns, domain);
  const organization = organizationOf(domain, found);
  const of = (name: string) => found.find(({ at }) => at === name);
  const suffix = found.find(({ at, tags }) => at !== domain && tags.get('psd')?.toLowerCase() === 'y');
  const record = of(domain) ?? of(organization) ?? suffix;
  if (!record) return undefined;
  const { at, tags } = record;
  const said = (at === domain ? undefined : tags.get('sp')) ?? tags.get('p') ?? 'none';
  const action = actions.find((word) => word === said.toLowerCase());
  return action && { at, tags, action };
}

/** @param hasDkim whether receivers find the key that mail is signed with. */
export async function checkDmarc(dns: Lookups, domain: string, hasDkim: boolean): Promise<Verdict> {
  const own = await recordsAt(dns, domain);
  if (own.length > 1)
    return {
      state: 'wrong',
      detail: `There are ${own.length} DMARC records at _dmarc.${domain}, so receivers ignore all of them. Keep only one.`,
    };
  const policy = await findPolicy(dns, domain);
  const [tags] = own;
  if (tags && !policy)
    return {
      state: 'wrong',
      detail: `The policy "p=${tags.get('p')}" is not valid: it must be none, quarantine or reject.`,
    };
  if (!tags && (await dns.txt(`_dmarc.${domain}`)).some((text) => /dmarc/i.test(text)))
    return {
      state: 'wrong',
      detail: `The TXT record at _dmarc.${domain} must start with v=DMARC1. Publish this value.`,
    };
  if (!policy)
    return {
      state: 'missing',
      detail: `Neither _dmarc.${domain} nor a domain above it has a DMARC record. Publish a TXT record with this value.`,
    };
  return { state: 'found', detail: [...say(policy, domain), ...warn(policy, hasDkim)].join(' ') };
}

function say({ at, action, tags }: Policy, domain: string): string[] {
  const whose = at === domain ? 'The policy' : `The policy of ${at} applies here too. It`;
  return [
    `${whose} is ${action}.`,
    ...(tags.get('t')?.toLowerCase() === 'y'
      ? ['It is being tested (t=y), so receivers apply it one level less strictly.']
      : []),
    ...(tags.has('p') ? [] : ['The record has no policy (p=), so older receivers ignore it: add p=none.']),
  ];
}

function warn({ action, tags }: Policy, hasDkim: boolean): string[] {
  const historic = ['pct', 'rf', 'ri'].filter((tag) => tags.has(tag));
  return [
    ...(action !== 'none' && !hasDkim
      ? ['Until the DKIM record is found, email from this domain may be refused or marked as spam.']
      : []),
    ...(tags.get('aspf')?.toLowerCase() === 's'
      ? [
          'The policy asks for strict SPF alignment (aspf=s), which a return path on a subdomain can’t meet: only the DKIM signature counts.',
        ]
      : []),
    ...(historic.length > 0 ? [`RFC 9989 has no ${historic.join(', ')} anymore; remove it.`] : []),
  ];
}
