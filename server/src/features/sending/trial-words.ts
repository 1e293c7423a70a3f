// What a test of a mail server found, in words for people: what failed, and what to do.
import type { MailServerProblem, MailServerTrial } from '../../mail/try-server.js';
import type { partsOf } from './server-address.js';

type Server = ReturnType<typeof partsOf> & { from: string | null; to: string | null };

export function sayTrial({ problem, isEncrypted, reply }: MailServerTrial, server: Server): string {
  if (problem !== null) return words[problem](server, /^[45]\d\d/.exec(reply ?? '')?.[0]);
  const { host, from, to } = server;
  const open = isEncrypted
    ? ''
    : ' The connection is not encrypted, so others can read passwords and email. Choose STARTTLS or TLS if the server offers it.';
  if (from !== null && to !== null)
    return `${host} accepted a test email from ${from} to ${to}. Check that it arrived, and look in the spam folder too.${open}`;
  const missing = from === null ? 'add a sending domain' : 'enter a recipient';
  return `${host} can be reached and accepts the sign-in. No email was sent: ${missing} to test that too.${open}`;
}

const words: Readonly<Record<MailServerProblem, (server: Server, code: string | undefined) => string>> = {
  nameNotFound: ({ host }) => `The name ${host} was not found in DNS. Check its spelling.`,
  dnsSilent: ({ host }) =>
    `DNS did not answer for ${host}. Try again in a minute. If that doesn’t help, check the name.`,
  notPublic: ({ host }) =>
    `${host} is not on the public internet. Use a public server, or ask the operator to allow private ones with WEBHOOK_ALLOW_PRIVATE=on.`,
  refused: ({ host, port }) =>
    `${host} refuses connections on port ${port}. Check the port: usually 587, or 465 with TLS from the start.`,
  unreachable: ({ host }) =>
    `${host} can’t be reached from here. Check the host, and ask the operator about firewalls.`,
  timeout: ({ host, port }) =>
    `${host} did not answer in time on port ${port}. A firewall may block the port, or it expects TLS from the start: try 587 with STARTTLS, or 465 with TLS.`,
  certificate: ({ host }) =>
    `The certificate of ${host} is not valid for that name, has expired or is from an unknown issuer. Use the name that the provider gives, or have the certificate renewed.`,
  encryption: ({ host, port, security }) =>
    security === 'tls'
      ? `${host} does not use TLS from the start on port ${port}. Try STARTTLS, usually on port 587.`
      : `${host} offers no working STARTTLS on port ${port}. Try TLS from the start, usually on port 465.`,
  signIn: ({ host }, code) =>
    `${host} refused the sign-in${coded(code)}. Check the username and password. Some providers need an app password or an API key.`,
  noSignIn: ({ host, port }) =>
    `${host} offers no sign-in on port ${port}. It may do so only when encrypted: choose STARTTLS or TLS, or leave the user empty if it needs none.`,
  sender: ({ host, from }, code) =>
    `${host} refused the sender ${from}${coded(code)}. Allow this address or its domain at your provider, or try another sender.`,
  recipient: ({ host, to }, code) =>
    `${host} refused the recipient ${to}${coded(code)}. Try another one. If it refuses every one, it may not let this user send to others: sign in, or ask your provider.`,
  content: ({ host }, code) =>
    `${host} accepted sender and recipient, but then refused the email${coded(code)}. Its response says why; often the sender’s domain must be confirmed with the provider first.`,
  rejected: ({ host }, code) =>
    `${host} answered with an error before the sign-in${coded(code)}. It may not accept connections from this service’s address. Its response says why.`,
  lost: ({ host, port }) =>
    `${host} ended the connection on port ${port}. Check port and encryption: 587 with STARTTLS, or 465 with TLS.`,
};

function coded(code: string | undefined): string {
  return code ? ` (${code})` : '';
}
