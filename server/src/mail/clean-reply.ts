// What a mail server said, so that it can be kept and shown: servers repeat addresses, and some repeat what they were sent.

const longest = 500;
// More than this is not looked at; a reply may have a mebibyte.
const longestRead = 1500;
// `ada@example.com`, `"a b"@example.com`, `ada%40example.com`, `=40` and `&#64;`: with everything around it that could be part of it.
const address = /(?:"[^"]{0,100}"|[^\s<>()[\]"',;:]{0,200})(?:@|%40|=40|&#64;)[^\s<>()"',;]{0,255}/gi;

interface Private {
  /** What was sent to sign in, in every form of it. */
  secrets?: readonly string[];
  /** The recipient: many servers repeat only the part before the @. */
  recipient?: string;
}

/** One line: code, enhanced status, text. Addresses and secrets become `…`. */
export function cleanReply(reply: string, { secrets = [], recipient = '' }: Private = {}): string {
  // Without the word that was cut off: it could be half an address.
  const read = reply.length > longestRead ? reply.slice(0, longestRead).replace(/\S*$/, '') : reply;
  const [status, words] = joinLines(read);
  let text = words;
  for (const secret of secrets) text = text.replaceAll(secret, '…');
  text = text.replace(address, '…');
  const local = recipient.slice(0, recipient.lastIndexOf('@'));
  // A shorter one is part of any sentence. Checked before: making a pattern for every recipient takes longer than everything else here.
  if (local.length > 2 && text.toUpperCase().includes(local.toUpperCase())) text = text.replace(wordOf(local), '…');
  const line = `${status} ${text}`.replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line;
}

/** `550-5.1.1 No such\n550 5.1.1 user` is `550 5.1.1` and `No such user`. */
function joinLines(reply: string): [string, string] {
  const [first = '', ...others] = reply.split(/[\r\n]+/).map((line) => line.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '));
  const [head = '', code = '', status = ''] = /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3})(?= |$))?/.exec(first) ?? [];
  const texts = others.map((line) => {
    const rest = code && line.startsWith(code) ? line.slice(4) : line;
    return status && rest.startsWith(status) ? rest.slice(status.length) : rest;
  });
  return [`${code} ${status}`, [first.slice(head.length), ...texts].join(' ')];
}

/** What a server may repeat of a sign-in. */
export function secretsOf(auth: { user: string; pass: string } | undefined): string[] {
  if (!auth) return [];
  const { user, pass } = auth;
  const coded = [`\0${user}\0${pass}`, pass, user].map((text) => Buffer.from(text).toString('base64'));
  // Longer ones first: one may be part of another. A short one would take letters out of other words.
  return [pass, user, ...coded].filter((text) => text.length > 3).sort((a, b) => b.length - a.length);
}

function wordOf(text: string): RegExp {
  return new RegExp(`(?<![\\w.])${text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?!\\w)`, 'gi');
}
