// What an app may say about itself when it registers, or in its metadata document. Pure.

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]']);
// With these schemes, a browser or a system does something other than open an app.
const otherSchemes = new Set([
  ...[
    'javascript:',
    'vbscript:',
    'data:',
    'blob:',
    'file:',
    'filesystem:',
    'about:',
    'view-source:',
    'jar:',
    'intent:',
  ],
  ...['ws:', 'wss:', 'ftp:', 'ftps:', 'sftp:', 'ssh:', 'telnet:', 'mailto:', 'tel:', 'sms:', 'ldap:', 'ldaps:', 'smb:'],
  ...['chrome:', 'chrome-extension:', 'moz-extension:', 'resource:', 'ms-settings:', 'search-ms:', 'ms-msdt:', 'urn:'],
]);

// Browsers accept more characters in a host than names have. What people read, and a page's policy, must not contain them.
const hostShape = /^[a-z0-9._-]+$|^\[[0-9a-f:.]+\]$/;
// These change how the words around a name are read, or cannot be read at all.
const unreadable = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const mostRedirects = 20;
const longestUri = 2000;
const longestName = 100;

/** How the address that an app sends people back to is reached. */
type Way = 'https' | 'loopback' | 'own-scheme';

type ReadRedirect = { way: Way } | { fault: string };

/** Why a redirect URI is refused, as the end of a sentence that begins with it. */
export function readRedirect(uri: string): ReadRedirect {
  const fault = (text: string) => ({ fault: text });
  if (uri.length > longestUri) return fault(`must have at most ${longestUri} characters`);
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || /[\s\\\p{Cc}]/u.test(uri)) return fault('must be a URI');
  if (uri.includes('#')) return fault('must not have a fragment');
  if (url.username !== '' || url.password !== '') return fault('must not have a user or password in it');
  if (uri.includes('*')) return fault('must not have a wildcard');
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isWeb && !hostShape.test(url.hostname)) return fault('must have a host of letters, digits, dots and hyphens');
  if (url.protocol === 'https:') return { way: 'https' };
  if (url.protocol === 'http:')
    return loopbacks.has(url.hostname)
      ? { way: 'loopback' }
      : fault('must use https; http only serves localhost, 127.0.0.1 and [::1]');
  return otherSchemes.has(url.protocol)
    ? fault(`must not use the scheme ${url.protocol.slice(0, -1)}`)
    : { way: 'own-scheme' };
}

interface ReadClient {
  /** Why it is refused, as a sentence. */
  fault?: string;
  /** An app on a person's own device: it may use any loopback port, which it learns only when it runs. */
  isNative: boolean;
}

export function readClient(metadata: Readonly<Record<string, unknown>>): ReadClient {
  const { redirect_uris: uris, client_name: name } = metadata;
  const refuse = (fault: string) => ({ fault, isNative: false });
  if (!Array.isArray(uris) || uris.length === 0) return refuse('redirect_uris must have at least one URI');
  if (uris.length > mostRedirects) return refuse(`redirect_uris must have at most ${mostRedirects} URIs`);
  if (name !== undefined && (typeof name !== 'string' || name.length > longestName))
    return refuse(`client_name must be text of at most ${longestName} characters`);
  if (name !== undefined && (unreadable.test(name) || !name.isWellFormed()))
    return refuse('client_name must be plain text, without control characters');
  let isNative = false;
  for (const uri of uris) {
    const read = typeof uri === 'string' ? readRedirect(uri) : { fault: 'must be text' };
    if ('fault' in read) return refuse(`every one of redirect_uris ${read.fault}`);
    if (read.way !== 'https') isNative = true;
  }
  return { isNative };
}
