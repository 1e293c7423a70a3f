// Whether the SPF record of a domain lets our mail through (RFC 7208), and reads without an error.
import { isIPv4, isIPv6 } from 'node:net';
import type { Lookups, Verdict } from './lookups.js';
import { NoAnswer } from './lookups.js';

interface Term {
  text: string;
  isModifier: boolean;
  qualifier: string;
  /** Lower case. */
  name: string;
  value: string;
}

const isSpf = /^v=spf1(?: |$)/i;
const domainSpec = String.raw`[^\s/=]+`;
const lengths = String.raw`(?:/\d{1,2})?(?://\d{1,3})?`;
const forms: Record<string, RegExp> = {
  all: /^$/,
  include: new RegExp(`^:${domainSpec}$`),
  a: new RegExp(`^(?::${domainSpec})?${lengths}$`),
  mx: new RegExp(`^(?::${domainSpec})?${lengths}$`),
  ptr: new RegExp(`^(?::${domainSpec})?$`),
  exists: new RegExp(`^:${domainSpec}$`),
};

/** The terms of a record, or the first invalid one: receivers then treat the whole record as an error. */
export function readSpf(text: string): { terms: Term[]; fault?: string } {
  const terms: Term[] = [];
  for (const word of text.slice('v=spf1'.length).split(' ').filter(Boolean)) {
    const term = readTerm(word);
    if (!term || (term.isModifier && terms.some(({ isModifier, name }) => isModifier && name === term.name)))
      return { terms, fault: word };
    terms.push(term);
  }
  return { terms };
}

function readTerm(text: string): Term | undefined {
  const modifier = /^([a-z][\w.-]*)=(\S*)$/i.exec(text);
  if (modifier) {
    const [, name = '', value = ''] = modifier;
    const isEmpty = value === '' && /^(redirect|exp)$/i.test(name);
    return isEmpty ? undefined : { text, isModifier: true, qualifier: '', name: name.toLowerCase(), value };
  }
  const [, qualifier = '', word = '', rest = ''] = /^([-+~?]?)([a-z0-9]+)(.*)$/i.exec(text) ?? [];
  const name = word.toLowerCase();
  const isSound = name === 'ip4' || name === 'ip6' ? isNetwork(name, rest) : forms[name]?.test(rest);
  const value = rest.replace(/^:/, '').toLowerCase().replace(/\.$/, '');
  return isSound ? { text, isModifier: false, qualifier: qualifier || '+', name, value } : undefined;
}

function isNetwork(name: 'ip4' | 'ip6', rest: string): boolean {
  const [, address = '', length = '0'] = /^:([^/]+)(?:\/(\d{1,3}))?$/.exec(rest) ?? [];
  return name === 'ip4' ? isIPv4(address) && Number(length) <= 32 : isIPv6(address) && Number(length) <= 128;
}

/** @param wanted the term that lets our mail through: `include:mail.example` or `ip4:192.0.2.1`. */
export async function checkSpf(dns: Lookups, domain: string, wanted: string): Promise<Verdict> {
  const [text, ...more] = (await dns.txt(domain)).filter((record) => isSpf.test(record));
  if (text === undefined)
    return { state: 'missing', detail: `There is no SPF record at ${domain}. Publish a TXT record with this value.` };
  if (more.length > 0)
    return {
      state: 'wrong',
      detail: `There are ${more.length + 1} SPF records at ${domain}, which receivers treat as an error. Merge them into one that contains ${wanted}.`,
    };
  const { terms, fault } = readSpf(text);
  if (fault !== undefined)
    return {
      state: 'wrong',
      detail: `Receivers can’t read the SPF record: "${shortened(fault)}" is not valid. Correct it.`,
    };
  const own = termOf(wanted);
  const walked = await walk(dns, terms, own);
  const problem = placement(terms, own, wanted);
  if (problem) return { state: 'wrong', detail: problem };
  const isThere = terms.some((term) => isSame(term, own)) || walked.hasOwn;
  if (!isThere)
    return {
      state: 'wrong',
      detail: `The SPF record doesn’t allow our email. Change it to: v=spf1 ${[wanted, ...terms.map((term) => term.text)].join(' ')}`,
    };
  return {
    state: 'found',
    detail: ['Our email is allowed.', ...(await warnings(dns, terms, own, walked.lookups))].join(' '),
  };
}

/** What is wrong with the position of our term. */
function placement(terms: Term[], own: Term, wanted: string): string | undefined {
  const mine = terms.filter((term) => isSame(term, own));
  const all = terms.findIndex(({ name, isModifier }) => name === 'all' && !isModifier);
  if (mine.length > 1) return `${wanted} is in the SPF record ${mine.length} times. Keep only one.`;
  const [term] = mine;
  if (term && term.qualifier !== '+')
    return `The SPF record has "${term.text}", which doesn’t allow our email. Use ${wanted} instead.`;
  if (term && all >= 0 && terms.indexOf(term) > all)
    return `In the SPF record ${wanted} comes after "${terms[all]?.text}", where it is not read. Move it to the front.`;
  return undefined;
}

async function warnings(dns: Lookups, terms: Term[], own: Term, lookups: number): Promise<string[]> {
  const told: string[] = [];
  if (lookups > mostLookups)
    told.push(
      `But the record needs more than ${mostLookups} lookups, and receivers stop there: remove what is no longer used.`,
    );
  if (terms.some(({ name, qualifier }) => name === 'all' && qualifier === '+'))
    told.push('But "all" lets anyone send email as this domain: use ~all.');
  const included = own.name === 'include' ? await spfOf(dns, own.value) : [];
  if (own.name === 'include' && included?.length !== 1)
    told.push(
      `But ${own.value} has no SPF record itself: the operator of this installation must publish one there, or set SPF_INCLUDE.`,
    );
  return told;
}

// RFC 7208, section 4.6.4.
const mostLookups = 10;
const costly = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect']);

/** Follows includes as a receiver would, until there are too many; one without an answer counts too. */
async function walk(dns: Lookups, start: Term[], own: Term): Promise<{ lookups: number; hasOwn: boolean }> {
  let lookups = 0;
  let hasOwn = false;
  const waiting = effective(start);
  for (let term = waiting.shift(); term && lookups <= mostLookups; term = waiting.shift()) {
    hasOwn ||= isSame(term, own) && term.qualifier === '+';
    if (!costly.has(term.name)) continue;
    lookups++;
    const leadsOn = term.name === 'include' || term.name === 'redirect';
    if (!leadsOn || term.value.includes('%')) continue;
    const [record] = (await spfOf(dns, term.value)) ?? [];
    if (record !== undefined) waiting.push(...effective(readSpf(record).terms));
  }
  return { lookups, hasOwn };
}

/** What receivers read: nothing after `all`, not even a redirect. */
function effective(terms: readonly Term[]): Term[] {
  const all = terms.findIndex(({ name, isModifier }) => name === 'all' && !isModifier);
  return all < 0 ? [...terms] : terms.slice(0, all).filter(({ isModifier }) => !isModifier);
}

/** Undefined if DNS does not answer. */
async function spfOf(dns: Lookups, domain: string): Promise<string[] | undefined> {
  try {
    return (await dns.txt(domain)).filter((record) => isSpf.test(record));
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

function termOf(text: string): Term {
  const term = readTerm(text);
  if (!term) throw new TypeError(`${text} is no term of SPF`);
  return term;
}

function isSame(term: Term, own: Term): boolean {
  return !term.isModifier && term.name === own.name && term.value === own.value;
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
