// Bounces in words only: qmail, Exim, Lotus Domino, older Exchange and Sendmail, Yahoo. They say in prose who was not
// reached and why, and often have the message behind it, as text.
import { addressOf, headerIdOf, readHeader, reasonOf } from './fields.js';
import type { ReadMail, Report } from './read-mail.js';
import { judgeReply, type Verdict } from './replies.js';

const mostRecipients = 100;
// Characters. What went wrong comes first.
const mostText = 64 * 1024;

/** Undefined for a mail that is no bounce. */
export function readPlainBounce(mail: ReadMail): Report[] | undefined {
  const text = mail.text.slice(0, mostText).replaceAll('\r', '');
  if (/^\s*Hi\. This is the /.test(text)) return fromQmail(text, mail);
  const failed = mail.header.get('x-failed-recipients');
  if (failed !== undefined) return fromExim(failed, text, mail);
  return isFailureNotice(mail) ? fromProse(text, mail) : undefined;
}

/** QSBMF: a paragraph a recipient, which begins with its address; one that begins with a dash ends them. */
function fromQmail(text: string, mail: ReadMail): Report[] {
  const headerId = headerIdAfter(text, mail);
  const reports: Report[] = [];
  for (const paragraph of text.split(/\n{2,}/).slice(1)) {
    if (paragraph.trimStart().startsWith('-') || reports.length >= mostRecipients) break;
    const [, address, said = ''] = /^\s*<([^<>\n]{1,400})>:\s*([\s\S]*)$/.exec(paragraph) ?? [];
    if (address === undefined) continue;
    reports.push(bounced(said, addressOf(address), headerId));
  }
  return reports;
}

function fromExim(failed: string, text: string, mail: ReadMail): Report[] {
  const headerId = headerIdAfter(text, mail);
  const recipients = failed
    .slice(0, 8000)
    .split(',')
    .slice(0, mostRecipients)
    .flatMap((each) => addressOf(each) ?? []);
  const report = withoutCopy(text);
  return recipients.map((recipient) => {
    // What is said of a recipient stands below its address, up to the next one.
    const from = report.indexOf(`  ${recipient}\n`);
    const said =
      from < 0 ? report : report.slice(from + recipient.length + 3).split(/\n {2}(?=\S{1,64}@\S{1,255}\n)/)[0];
    return bounced(said ?? report, recipient, headerId);
  });
}

function fromProse(text: string, mail: ReadMail): Report[] {
  const said = withoutCopy(text);
  const named = /(?:^|[\s<(:"])([^\s<>()"':;,@]{1,64}@[\w.-]{1,255}\w)/.exec(said)?.[1];
  return [bounced(said, addressOf(named), headerIdAfter(text, mail))];
}

function bounced(said: string, recipient: string | null, headerId: string | null): Report {
  const { verdict, words } = judgeProse(said);
  return { what: 'bounced', ...verdict, reason: reasonOf(verdict.status, words), recipient, headerId };
}

/** A reply somewhere in the prose, alone at the beginning of a line or behind a colon; else what the words say. */
function judgeProse(said: string): { verdict: Verdict; words: string } {
  const found = /(?:^|[:>(]\s*|\s#?|;)([45]\d\d)[ -](?=#?[45]\.\d{1,3}\.\d|[<A-Za-z])/m.exec(said);
  if (found) {
    const words = said.slice(found.index + found[0].length - 4);
    return { verdict: judgeReply(Number(found[1]), words), words };
  }
  const enhanced = /(?:^|[\s#(])([45])\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(said);
  const words = enhanced ? said.slice(enhanced.index).trim() : said;
  const verdict = judgeReply(enhanced?.[1] === '4' ? 450 : 550, words);
  // The mail does not say 550.
  return { verdict: /^\d+$/.test(verdict.status) ? { ...verdict, status: '5.0.0' } : verdict, words };
}

const daemons = /\b(?:mailer-?daemon|post-?master|mail delivery (?:sub)?system|mdaemon|amavisd)\b/i;
const failures =
  /undeliver|not delivered|returned (?:mail|to sender)|delivery.{0,30}(?:fail|problem|error)|failure (?:notice|report)|fail(?:ed|ure).{0,20}deliver|mail system error|unzustellbar|non remis|no se pudo entregar/i;
const delays = /delay|warning|verzöger|retard|retraso/i;
const absences =
  /out of (?:the )?office|auto(?:matic)?[- ]?(?:reply|response|answer)|abwesen|automatische antwort|absen(?:t|ce)|vacation|holiday|réponse automatique|respuesta automática/i;

/** From a mail system, about a failure: what people and their programs answer is no bounce. */
function isFailureNotice({ header }: ReadMail): boolean {
  const subject = (header.get('subject') ?? '').slice(0, 500);
  const from = (header.get('from') ?? '').slice(0, 500);
  if (header.has('x-autoreply') || absences.test(subject) || delays.test(subject)) return false;
  const isFromSystem = daemons.test(from) || (header.get('return-path') ?? '').trim() === '<>';
  return isFromSystem && failures.test(subject);
}

const copyBegins = /copy of the message|original message|below this line|returned message|unsent message/i;

/** Where the line begins behind which there is the message, and where it ends. */
function findCopy(text: string): { from: number; to: number } | undefined {
  for (let from = text.indexOf('--'); from >= 0; from = text.indexOf('\n--', from)) {
    if (text[from] === '\n') from++;
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    const isLine = from === 0 || text[from - 1] === '\n';
    if (isLine && copyBegins.test(text.slice(from, Math.min(to, from + 200)))) return { from, to };
  }
  return undefined;
}

function withoutCopy(text: string): string {
  return text.slice(0, findCopy(text)?.from).trim();
}

/** Of the message, which is attached, or stands below as text. */
function headerIdAfter(text: string, { original }: ReadMail): string | null {
  if (original) return headerIdOf(original);
  const copy = findCopy(text);
  return copy ? headerIdOf(readHeader(text.slice(copy.to).trimStart())) : null;
}
