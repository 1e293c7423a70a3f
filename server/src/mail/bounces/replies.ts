// The one table of what a refusal means: which are for good, and after which of them an address gets no more mail.
// Statuses as in RFC 3463, RFC 7505 (null MX) and IANA's list; texts as the large receivers word them. Every row is in
// docs/sending.md, and has a test.

export interface Verdict {
  /** For good: a 5xx. */
  isHard: boolean;
  /** There is no such mailbox: mail to it only harms the sender. */
  suppresses: boolean;
  /** `5.1.1`, or the code where there is no better one: `550`. */
  status: string;
}

interface StatusRow {
  /** `x` stands for any number. The first row that fits decides. */
  status: string;
  means: string;
  suppresses: boolean;
  /** Texts with which it means something else, and does not suppress. */
  unless?: RegExp;
}

const aboutSender = /\bsender|mail from|from address|return[- ]path|reverse[- ]path/i;
const aboutRate = /\brate\b|too (?:many|quickly|fast|much)|over ?quota|\bfull\b|try again|temporar/i;

/** 5.1.x is the address: it suppresses where it is the recipient's. 5.2.1 too: RFC 3463 has 4.2.1 for what may come back. */
export const statusTable: readonly StatusRow[] = [
  { status: '5.1.0', means: 'something about the address', suppresses: true, unless: aboutSender },
  { status: '5.1.1', means: 'no such mailbox', suppresses: true },
  { status: '5.1.2', means: 'no such domain', suppresses: true },
  { status: '5.1.3', means: 'no valid address', suppresses: true },
  { status: '5.1.4', means: 'more than one mailbox may be meant', suppresses: false },
  { status: '5.1.5', means: 'the address is fine', suppresses: false },
  { status: '5.1.6', means: 'moved, without a forwarding address', suppresses: true },
  { status: '5.1.7', means: "the sender's address is not valid", suppresses: false },
  { status: '5.1.8', means: "the sender's domain is not valid", suppresses: false },
  { status: '5.1.9', means: 'a server on the way does not follow the rules', suppresses: false },
  { status: '5.1.10', means: 'the domain takes no mail, or (Exchange) no such mailbox', suppresses: true },
  { status: '5.1.x', means: 'something about the address', suppresses: true, unless: aboutSender },
  { status: '5.2.1', means: 'mailbox disabled', suppresses: true, unless: aboutRate },
  { status: '5.2.2', means: 'mailbox full', suppresses: false },
  { status: '5.2.x', means: 'the mailbox does not take this message', suppresses: false },
  { status: '5.3.4', means: 'message too big', suppresses: false },
  { status: '5.3.x', means: 'the mail system does not take it', suppresses: false },
  {
    status: '5.4.x',
    means: 'no way there: network, DNS, loops; Microsoft also for unknown recipients',
    suppresses: false,
  },
  { status: '5.5.x', means: 'a misunderstanding between servers', suppresses: false },
  { status: '5.6.x', means: 'something about the content', suppresses: false },
  { status: '5.7.x', means: 'policy: spam, reputation, authentication', suppresses: false },
];

/** What a text says where there is no status, or one that says nothing (5.0.0, and 5.5.0 as Outlook.com uses it). */
interface TextRow {
  text: RegExp;
  means: string;
  suppresses: boolean;
}

/** The first matching row decides. Policy goes first: a blocked sender is often told that the mailbox is unavailable. */
const textTable: readonly TextRow[] = [
  {
    text: /spam|\bblock(?:ed|list)|black ?list|deny ?list|polic(?:y|ies)|reputation|\bspf\b|\bdkim\b|\bdmarc\b|authenticat|suspicious|virus|prohibited|not authori[sz]ed|access denied|greylist|postmaster\.(?:gmx|web|1und1)/i,
    means: 'policy',
    suppresses: false,
  },
  {
    text: /relay(?:ing)? (?:access )?(?:denied|not)|unable to relay|we do not relay/i,
    means: 'no relay',
    suppresses: false,
  },
  {
    text: /too (?:large|big)|size limit|exceeds? .{0,40}size|message size/i,
    means: 'message too big',
    suppresses: false,
  },
  {
    text: /quota|\bfull\b|insufficient .{0,20}storage|out of (?:disk )?space/i,
    means: 'mailbox full',
    suppresses: false,
  },
  { text: /\brate\b|too many|too (?:quickly|fast)|try again|temporar/i, means: 'too fast', suppresses: false },
  { text: aboutSender, means: "the sender's address", suppresses: false },
  {
    // Postfix, Sendmail, Exim, Courier
    text: /(?:user|recipient|address|account|mailbox|addressee|alias)\b[^.]{0,80}\b(?:unknown|not (?:been )?(?:found|known|exist|listed)|doesn.?t exist|invalid|disabled|inactive|no longer)/i,
    means: 'no such mailbox',
    suppresses: true,
  },
  {
    text: /(?:unknown|invalid|non-?existent|no such|inactive|disabled|bad) (?:local )?(?:user|recipient|address|account|mailbox|destination mailbox|addressee|person)/i,
    means: 'no such mailbox',
    suppresses: true,
  },
  // Gmail
  {
    text: /email account that you tried to reach (?:does not exist|is (?:disabled|inactive))/i,
    means: 'no such mailbox',
    suppresses: true,
  },
  // Yahoo
  { text: /user does ?n.?t have an? \S{1,60} account/i, means: 'no such mailbox', suppresses: true },
  { text: /mailbox is disabled \(554\.30\)/i, means: 'mailbox disabled', suppresses: true },
  // Exchange, Lotus Domino
  { text: /RESOLVER\.ADR\.(?:Ex)?Recip(?:ient)?NotFound/i, means: 'no such mailbox', suppresses: true },
  {
    text: /not listed in (?:the )?(?:public )?(?:domino directory|name & address book)/i,
    means: 'no such mailbox',
    suppresses: true,
  },
  // qmail
  { text: /no mailbox here by that name/i, means: 'no such mailbox', suppresses: true },
];

/** Outlook.com's words for an unknown recipient. With a bare 550 others say them of anything (RFC 5321, 4.2.3). */
const outlookUnknown = /mailbox unavailable/i;

const vague = new Set(['', '5.0.0', '5.5.0']);

/** What the reply of a mail server says: `judgeReply(550, '5.1.1 User unknown')`. The text may begin with the code. */
export function judgeReply(code: number, text: string): Verdict {
  const enhanced = enhancedStatus(code, text);
  const isHard = code >= 500;
  const status = enhanced || String(code);
  if (!isHard) return { isHard, suppresses: false, status };
  const suppresses = vague.has(enhanced) ? isUnknownByText(enhanced, text) : isUnknownByStatus(enhanced, text);
  return { isHard, suppresses, status };
}

/** Whether the receiver asks for fewer messages rather than refusing this one. */
export function isThrottle(code: number, text = ''): boolean {
  if (code === 421 || code === 451) return true;
  if (code !== 450 && code !== 452) return false;
  const words = text.slice(0, longest);
  return /^4\.7\./.test(enhancedStatus(code, words)) || /\brate\b|too (?:many|quickly|fast)|slow down/i.test(words);
}

// More says nothing new, and some patterns look back.
const longest = 2000;

function isUnknownByStatus(status: string, text: string): boolean {
  const row = statusTable.find((each) => fits(each.status, status));
  return row?.suppresses === true && !row.unless?.test(text.slice(0, longest));
}

function isUnknownByText(status: string, text: string): boolean {
  const words = text.slice(0, longest);
  const row = textTable.find((each) => each.text.test(words));
  return row?.suppresses ?? (status === '5.5.0' && outlookUnknown.test(words));
}

function fits(pattern: string, status: string): boolean {
  return pattern === status || (pattern.endsWith('.x') && status.startsWith(pattern.slice(0, -1)));
}

/** The first status of the code's class; an IP address or a version is not one. */
function enhancedStatus(code: number, text: string): string {
  const statuses = text.slice(0, longest).matchAll(/(?<![\w.])([245])\.(\d{1,3})\.(\d{1,3})(?![\w.]*\d|\w)/g);
  for (const [status] of statuses) if (status.startsWith(String(code)[0] as string)) return status;
  return '';
}
