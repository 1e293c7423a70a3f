// A mail server as one address, which is what is stored and what the mail client takes, and as the fields that people fill in.
import { domainToASCII } from 'node:url';
import type { BodyValue, setTransport, TransportSecurity } from '@rapport/contract';
import { invalid } from '../../http/api-error.js';

export type WantedServer = Pick<
  BodyValue<typeof setTransport>,
  'smtpUrl' | 'host' | 'port' | 'security' | 'user' | 'password'
>;

/** Without the brackets of IPv6. */
export function hostOf(smtpUrl: string): string {
  return new URL(smtpUrl).hostname.replace(/^\[|\]$/g, '');
}

interface ServerParts {
  host: string;
  port: number;
  security: TransportSecurity;
  user: string | null;
  hasPassword: boolean;
}

/** Some providers use one secret as both user and password: then neither is shown. */
export function partsOf(smtpUrl: string): ServerParts {
  const { protocol, port, username, password, searchParams } = new URL(smtpUrl);
  const usual = protocol === 'smtps:' ? 465 : 587;
  const user = username === password && username !== '' ? hidden : decodeURIComponent(username);
  return {
    host: hostOf(smtpUrl),
    port: port === '' ? usual : Number(port),
    security: securityOf(protocol, searchParams),
    user: user === '' ? null : user,
    hasPassword: password !== '',
  };
}

const hidden = '***';

function securityOf(protocol: string, options: URLSearchParams): TransportSecurity {
  const isOn = (name: string) => options.has(name) && options.get(name) !== 'false';
  if (protocol === 'smtps:') return 'tls';
  if (isOn('requireTLS')) return 'starttls';
  return isOn('ignoreTLS') ? 'none' : 'auto';
}

/** The wanted server as an address. @param stored whose password is kept if none is given, as long as host and user stay the same. */
export function addressOf(wanted: WantedServer, stored: string | undefined): string {
  const { smtpUrl, host } = wanted;
  if (smtpUrl !== undefined) {
    if (host !== undefined) throw invalid('host', 'must be left out beside smtpUrl');
    return smtpUrl;
  }
  if (host === undefined) throw invalid('smtpUrl', 'is required, or host instead');
  const { security = 'auto', port = security === 'tls' ? 465 : 587 } = wanted;
  const name = hostText(host);
  const options = new URLSearchParams([...securityOptions[security], ...keptOptions(name, stored)]);
  const query = [...options].length > 0 ? `?${options}` : '';
  return `${security === 'tls' ? 'smtps' : 'smtp'}://${signInText(wanted, name, stored)}${name}:${port}${query}`;
}

const securityOptions: Readonly<Record<TransportSecurity, [string, string][]>> = {
  ...{ tls: [], auto: [] },
  ...{ starttls: [['requireTLS', 'true']], none: [['ignoreTLS', 'true']] },
};

/** As written in an address. */
function hostText(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '');
  if (bare.includes(':')) return `[${bare}]`;
  const text = /^[\x21-\x7e]+$/.test(bare) ? bare.toLowerCase() : domainToASCII(bare);
  if (!/^[a-z0-9_.-]+$/.test(text))
    throw invalid('host', 'must be a host name such as smtp.example.com, or an IP address, and nothing else');
  return text;
}

/** What only an address can say, and what must not be lost when the password is changed. */
function keptOptions(name: string, stored: string | undefined): [string, string][] {
  if (stored === undefined || new URL(stored).hostname !== name) return [];
  return [...new URL(stored).searchParams].filter(([option]) => option === 'name' || option.startsWith('tls.'));
}

function signInText({ user = null, password }: WantedServer, name: string, stored: string | undefined): string {
  if (user === null) {
    if (password !== undefined) throw invalid('user', 'is required with a password');
    return '';
  }
  if (password !== undefined) return `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  const known = stored === undefined ? undefined : new URL(stored);
  // An admin could otherwise have it sent to a server of their own.
  if (!known?.password || known.hostname !== name || partsOf(known.href).user !== user)
    throw invalid('password', 'is required; the stored one is kept only while host and user stay the same');
  return `${known.username}:${known.password}@`;
}
