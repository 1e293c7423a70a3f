import { cleanReply } from './clean-reply.js';
import type { SmtpError, SmtpFailure } from './smtp-session.js';
import { MailNotSent } from './transport.js';

const reasons: Record<string, string> = {
  EAUTH: 'it refused the sign-in',
  EENVELOPE: 'it refused the sender or the recipient',
  EMESSAGE: 'it refused the content',
  ETIMEDOUT: 'it did not answer in time',
  ETLS: 'the encrypted connection failed',
  EDNS: 'its name cannot be resolved',
  // Our own code: a workspace's server must not be in our internal network.
  EINSIDE: 'it is not on the public internet, where a workspace may have its mail server',
  ECONNECTION: 'it cannot be reached',
  ESOCKET: 'it cannot be reached',
};
const tlsTrouble = /CERT|TLS|SSL|EPROTO|SIGNATURE/;

/** What a failure means for the message. Only a 5xx to RCPT or DATA is about the message; any other is about us, or temporary. */
export function explainFailure({ stage, why }: SmtpFailure, about: Parameters<typeof cleanReply>[1]): MailNotSent {
  const code = codeOf(why);
  const isRefused = (stage === 'rcpt' || stage === 'data') && code !== null && code >= 500;
  const reason = reasonOf(why);
  const detail = code ?? why.originalCode;
  return new MailNotSent(code ? `${reason} (${code})` : reason, {
    outlook: isRefused ? 'refused' : 'later',
    stage,
    code,
    reply: why.response ? cleanReply(why.response, about) : detail ? `${reason} (${detail})` : reason,
  });
}

/** A server that speaks nonsense has no code. */
function codeOf({ response = '' }: SmtpError): number | null {
  const code = Number(/^([2-5]\d\d)(?:[ \r\n-]|$)/.exec(response)?.[1] ?? 0);
  return code || null;
}

// Only the numbers of an answer: its text may repeat names and addresses.
function reasonOf({ code = '', originalCode = '', response }: SmtpError): string {
  if (code === 'ESOCKET' && tlsTrouble.test(originalCode)) return reasons.ETLS as string;
  if (code === 'ECONNECTION' && response) return 'it answered with an error';
  return reasons[code] ?? 'it answered with an error';
}
