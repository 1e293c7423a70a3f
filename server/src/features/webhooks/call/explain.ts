// Explains why a call failed: what the other side did, with an error code that can be searched for.
const reasons: Record<string, string> = {
  ECONNREFUSED: 'It refused the connection',
  ECONNRESET: 'It ended the connection without an answer',
  EPIPE: 'It ended the connection without an answer',
  ETIMEDOUT: 'It cannot be reached',
  EHOSTUNREACH: 'It cannot be reached',
  ENETUNREACH: 'It cannot be reached',
  ETIMEOUT: 'DNS did not answer',
  ESERVFAIL: 'DNS failed',
  EREFUSED: 'DNS refused to answer',
  ECONNABORTED: 'It ended the connection without an answer',
};

export function explainFailure(error: unknown): string {
  // Several addresses were tried: the first says as much as all.
  const { errors } = error as { errors?: unknown[] };
  const first = (errors?.[0] ?? error) as { code?: unknown; message?: unknown };
  const code = typeof first.code === 'string' ? first.code : undefined;
  if (code === undefined)
    return typeof first.message === 'string' ? withoutAddresses(first.message) : 'The call failed.';
  const reason = reasons[code] ?? reasonOf(code);
  return `${reason} (${code}).`;
}

// IPv4, or IPv6 with two colons at least; with a port, and in brackets, where it has them.
const address =
  /\[?(?<![\w:.])(?:(?:[0-9a-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,5})|\d{1,3}(?:\.\d{1,3}){3})\]?(?::\d{1,5})?(?![\w:])/gi;

/** Only the operator may know which internal address a name has. */
export function withoutAddresses(text: string): string {
  return text.replace(address, '…');
}

function reasonOf(code: string): string {
  if (code.startsWith('HPE_')) return 'It answered with something that is not HTTP';
  if (/CERT|TLS|SSL|EPROTO|SIGNATURE|ISSUER/.test(code))
    return 'The encrypted connection failed; its certificate may not be valid';
  if (code.startsWith('ERR_INVALID_CHAR') || code.startsWith('ERR_HTTP')) return 'The request cannot be made';
  return 'The connection failed';
}
