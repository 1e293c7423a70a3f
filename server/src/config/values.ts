// What an environment variable may be. A wrong value is reported with a sentence that names the variable.
import { isIP } from 'node:net';
import { addressesIn, sessionAttributeIn } from '../lib/database-hosts.js';

export class ConfigError extends Error {}

export function wrong(name: string, expected: string): ConfigError {
  return new ConfigError(`${name} is wrong: it must be ${expected}.`);
}

export function whole<T>(name: string, value: string | undefined, fallback: T, min: number, max: number): number | T {
  if (value === undefined) return fallback;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw wrong(name, `a whole number from ${min} to ${max}`);
  return number;
}

export function share(name: string, value: string | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number > 0 && number <= 1)) throw wrong(name, 'a share above 0 and up to 1, such as 0.003 for 0.3 %');
  return number;
}

export function hostName(host: string): string {
  if (/[\s/]/.test(host) || host.includes('://'))
    throw wrong('HOST', 'a host name or address, such as 127.0.0.1 or 0.0.0.0');
  return host;
}

export function url(name: string, value: string | undefined, protocols: string[]): string | undefined {
  if (value === undefined) return undefined;
  // PostgreSQL on a socket is written without a host: postgres://user@/database?host=/run/postgresql.
  const whole = value.replace('@/', '@localhost/');
  const parsed = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!parsed || !protocols.includes(parsed.protocol)) {
    throw wrong(name, `an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
  }
  return value;
}

/** One or more hosts, of which one takes writes. */
export function databaseUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  for (const address of addressesIn(value)) url(name, address, ['postgres:', 'postgresql:']);
  if (!sessionAttributeIn(value).isKnown)
    throw wrong(name, 'an address whose target_session_attrs is read-write, primary or any');
  return value;
}

/** Where people reach the service: nothing comes after the host, because its pages and links begin at `/`. */
export function origin(name: string, value: string | undefined): string | undefined {
  const whole = url(name, value, ['http:', 'https:'])?.replace(/\/+$/, '');
  if (whole === undefined) return undefined;
  const { pathname, search, hash, username, password, origin: alone } = new URL(whole);
  if (pathname !== '/' || `${search}${hash}${username}${password}` !== '')
    throw wrong(name, 'an address without a path, such as https://rapport.example.com: pages and links begin at /');
  // Normalized: `HTTPS://X.example?` is the same, and paths are appended to it.
  return alone;
}

export function visible(name: string, value: string | undefined): string | undefined {
  if (value !== undefined && !/^[\x21-\x7e]+$/.test(value))
    throw wrong(name, 'visible ASCII characters without spaces');
  return value;
}

export function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `9.9.9.9`, `127.0.0.1:5353`, `2620:fe::fe` or `[2620:fe::fe]:53`. */
export function addresses(name: string, value: string | undefined): string[] {
  const found = listOf(value);
  const isAddress = (text: string) => {
    const [, bracketed, plain, port = '53'] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
    return isIP(text) !== 0 || (isIP(bracketed ?? plain ?? '') !== 0 && Number(port) > 0 && Number(port) <= 65_535);
  };
  if (!found.every(isAddress)) throw wrong(name, 'IP addresses with commas between, such as 9.9.9.9,127.0.0.1:5353');
  return found;
}

/** Addresses and networks, such as `10.0.0.0/8`. */
export function networks(name: string, value: string | undefined): string[] {
  const found = listOf(value);
  const isNetwork = (text: string) => {
    const [address = '', bits = '1', ...more] = text.split('/');
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    return more.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most;
  };
  if (!found.every(isNetwork))
    throw wrong(name, 'IP addresses or networks with commas between, such as 127.0.0.1,10.0.0.0/8');
  return found;
}

export function domainName(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const isName = value.length <= 253 && /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i.test(value);
  if (!isName) throw wrong(name, 'a host name, such as mail.example.com');
  return value.toLowerCase();
}

export function emailAddress(name: string, value: string | undefined): string | undefined {
  if (value !== undefined && !/^[^\s@<>"]{1,64}@[a-z0-9.-]{1,253}$/i.test(value))
    throw wrong(name, 'an email address alone, such as no-reply@example.com');
  return value;
}

export function word<T extends string, F>(
  name: string,
  value: string | undefined,
  fallback: F,
  words: readonly T[],
): T | F {
  if (value === undefined) return fallback;
  const found = words.find((known) => known === value);
  if (!found) throw wrong(name, `one of: ${words.join(', ')}`);
  return found;
}

export function flag<Unset extends boolean | undefined>(
  name: string,
  value: string | undefined,
  fallback: Unset,
): boolean | Unset {
  if (value === undefined) return fallback;
  if (['on', 'true', '1', 'yes'].includes(value)) return true;
  if (['off', 'false', '0', 'no'].includes(value)) return false;
  throw wrong(name, 'on or off');
}
