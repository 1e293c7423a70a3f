// Whether a name leads to one of our hosts: as an alias, by the same addresses, or, for mail, by its MX.
import { isIP } from 'node:net';
import type { Lookups, Verdict } from './lookups.js';
import { checkSpf } from './spf.js';

/** @param target a host name, or an address where this installation has no name. */
export async function checkPointer(dns: Lookups, name: string, target: string): Promise<Verdict> {
  const aliases = isIP(target) ? [] : await dns.cname(name);
  if (aliases.includes(target)) return { state: 'found', detail: `It points to ${target}.` };
  // Some DNS providers answer with the addresses of an alias instead of the alias, and aliases may lead to aliases.
  const [found, wanted] = await Promise.all([dns.addresses(name), isIP(target) ? [target] : dns.addresses(target)]);
  if (found.some((address) => wanted.includes(address)))
    return { state: 'found', detail: `It has the address of ${target}.` };
  const [elsewhere] = [...aliases, ...found];
  return elsewhere === undefined
    ? { state: 'missing', detail: `There is no record at ${name}. Publish this one, so that it points to ${target}.` }
    : { state: 'wrong', detail: `${name} points to ${elsewhere}, not to ${target}. Publish this record instead.` };
}

/**
 * Where bounces go. An MX works as well as an alias, but then the name needs an SPF record of its own, which an alias has through its target.
 * @param spfTerm what lets our mail through.
 */
export async function checkReturnPath(dns: Lookups, name: string, target: string, spfTerm: string): Promise<Verdict> {
  const aliases = isIP(target) ? [] : await dns.cname(name);
  const hosts = aliases.length > 0 ? [] : await dns.mx(name);
  if (hosts.length === 0) return checkPointer(dns, name, target);
  if (!hosts.includes(target))
    return {
      state: 'wrong',
      detail: `Mail for ${name} goes to ${hosts[0]}. It must go to ${target}: publish this record.`,
    };
  const spf = await checkSpf(dns, name, spfTerm);
  return spf.state === 'found'
    ? { state: 'found', detail: `Mail for it goes to ${target}.` }
    : {
        state: 'wrong',
        detail: `Its MX is correct, but it also needs an SPF record: TXT v=spf1 ${spfTerm} ~all at ${name}.`,
      };
}
