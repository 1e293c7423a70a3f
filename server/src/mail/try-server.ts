// Tries a mail server once, from its name to a test mail, and tells what failed. What to say about it is decided by the caller.
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { buildMail } from './build.js';
import { cleanReply, secretsOf } from './clean-reply.js';
import { connectionOf, type Locate, timeoutsOf } from './smtp.js';
import { Session, type SmtpError, SmtpFailure, smtpError } from './smtp-session.js';
import { MailNotSent, type Message } from './transport.js';

export type MailServerProblem =
  | 'nameNotFound'
  | 'dnsSilent'
  /** A workspace's server must not be in our internal network. */
  | 'notPublic'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'certificate'
  | 'encryption'
  | 'signIn'
  /** A user is given, and the server offers no sign-in. */
  | 'noSignIn'
  | 'sender'
  | 'recipient'
  | 'content'
  /** It answered with an error before the sign-in. */
  | 'rejected'
  | 'lost';

export interface MailServerTrial {
  /** Null: nothing failed. */
  problem: MailServerProblem | null;
  /** What the server said last, cleaned. Null if it said nothing. */
  reply: string | null;
  /** Null: not known, because it failed before. */
  isEncrypted: boolean | null;
}

interface TrialSettings {
  locate?: Locate | undefined;
  /** What we call ourselves, unless the address says. */
  name?: string | undefined;
  /** Milliseconds for each part, and for all of them together. */
  patience?: { part: number; whole: number };
}

const usualPatience = { part: 8000, whole: 20_000 };

/** @param message sent if there is one; without it the trial ends after the sign-in. */
export async function tryServer(
  url: string,
  message: Message | undefined,
  { locate, name, patience = usualPatience }: TrialSettings = {},
): Promise<MailServerTrial> {
  const { auth } = parseConnectionUrl(url);
  const { part, whole } = patience;
  const timeouts = timeoutsOf({ connect: part, greeting: part, silence: part });
  const session = new Session(
    { ...(name && { name }), ...connectionOf(url), ...timeouts },
    auth,
    () => undefined,
    locate,
  );
  const about = { secrets: secretsOf(auth), recipient: message?.to ?? '' };
  const timer = setTimeout(() => session.abandon(smtpError('ETIMEDOUT', 'It took too long.')), whole);
  let isEncrypted: boolean | null = null;
  try {
    await session.greet();
    isEncrypted = session.isEncrypted;
    if (auth && !session.offersSignIn) return { problem: 'noSignIn', reply: null, isEncrypted };
    const reply = message ? cleanReply(await session.send(await buildMail(message)), about) : null;
    return { problem: null, reply, isEncrypted };
  } catch (error) {
    if (error instanceof SmtpFailure) {
      const { response } = error.why;
      return { problem: problemOf(error), reply: response ? cleanReply(response, about) : null, isEncrypted };
    }
    if (error instanceof MailNotSent) {
      const problem = error.stage === 'mail' ? 'sender' : 'recipient';
      return { problem, reply: error.reply, isEncrypted };
    }
    throw error;
  } finally {
    clearTimeout(timer);
    session.quit();
  }
}

function problemOf({ stage, why }: SmtpFailure): MailServerProblem {
  if (!why.response) return lossOf(why, stage === 'connect');
  if (why.code === 'ETLS') return 'encryption';
  switch (stage) {
    case 'auth':
      return 'signIn';
    case 'mail':
      return 'sender';
    case 'rcpt':
      return 'recipient';
    case 'data':
      return 'content';
    case 'connect':
      return 'rejected';
  }
}

const certificate = /CERT|UNABLE_TO|SELF_SIGNED|ALTNAME|ISSUER|certificate/;
const encryption = /TLS|SSL|EPROTO|SIGNATURE/;

/** Without an answer. */
function lossOf({ code = '', originalCode = '', message }: SmtpError, isConnecting: boolean): MailServerProblem {
  const system = `${originalCode} ${message}`;
  if (code === 'EINSIDE') return 'notPublic';
  if (code === 'EDNS')
    return /TIMEOUT|TIMEDOUT|SERVFAIL|EREFUSED|EAI_AGAIN/.test(system) ? 'dnsSilent' : 'nameNotFound';
  if (code === 'EAUTH') return 'signIn';
  if (certificate.test(system)) return 'certificate';
  if (code === 'ETLS' || encryption.test(system)) return 'encryption';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (/ECONNREFUSED/.test(system)) return 'refused';
  if (/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/.test(system)) return 'unreachable';
  return isConnecting || code === 'ECONNECTION' || code === 'ESOCKET' ? 'lost' : 'rejected';
}
