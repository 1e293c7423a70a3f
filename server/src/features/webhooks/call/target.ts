// Checks the address of a webhook before it is resolved. Pure.
import { isIP } from 'node:net';
import { anywhere, type Guard } from './address.js';

export interface Target {
  readonly url: URL;
  /** The host without the brackets of IPv6. */
  readonly host: string;
  /** 0: the host is a name. */
  readonly family: 0 | 4 | 6;
}

/** The address can never be called; the message says why. */
export class BadTarget extends Error {
  override readonly name = 'BadTarget';
}

export const longestUrl = 2000;

/** Throws BadTarget. */
export function readTarget(text: string, allows: Guard): Target {
  if (text.length > longestUrl) throw new BadTarget(`must have at most ${longestUrl} characters`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw new BadTarget('must be an address that starts with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw new BadTarget('must not have a user or password in it; the signature tells the receiver who calls');
  if (badPorts.has(Number(url.port)))
    throw new BadTarget(`must not use port ${url.port}, which is kept for other protocols`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host) as Target['family'];
  if (allows !== anywhere) checkHost(text, host, family, allows);
  return { url, host, family };
}

/** Why nothing may be sent there, as the end of a sentence that begins with the field. Undefined if it may. */
export function faultOfTarget(text: string, allows: Guard): string | undefined {
  try {
    readTarget(text, allows);
    return undefined;
  } catch (error) {
    if (error instanceof BadTarget) return error.message;
    throw error;
  }
}

export const whyPrivate =
  'is not on the public internet, and webhooks may not be sent there; the operator can allow it with WEBHOOK_ALLOW_PRIVATE=on';

function checkHost(text: string, host: string, family: Target['family'], allows: Guard): void {
  const address = isLocalName(host) ? '127.0.0.1' : host;
  if (isIP(address) !== 0 && !allows(address))
    throw new BadTarget(`must not lead to ${host}: that address ${whyPrivate}`);
  // `http://2130706433/` and `http://0x7f.1/` are IPv4 addresses too. Such spellings are suspicious.
  if (family === 4 && writtenHost(text) !== host)
    throw new BadTarget('must have an IPv4 address as four decimal numbers');
}

/** The host as it was written. There is no user in front of it: that was refused before. */
function writtenHost(text: string): string | undefined {
  return /^\s*https?:[/\\]*([^/\\?#:]*)/i.exec(text)?.[1];
}

/** Names that always mean this machine. */
export function isLocalName(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host);
}

/** Ports that no browser calls, because a service there may mistake a request for a command: the Fetch standard's list. */
const badPorts = new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  ],
  ...[
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  ],
  ...[540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);
