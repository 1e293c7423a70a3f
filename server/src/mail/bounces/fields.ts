// Header fields, as mails and the machine-readable parts of reports have them. Patient: what is no field is passed over.

export type Fields = ReadonlyMap<string, string>;

/** Groups of fields with empty lines between them. Of a field that comes twice, the first counts. */
export function readGroups(text: string, atMost: number): Fields[] {
  const groups: Fields[] = [];
  let group = new Map<string, string[]>();
  let last: string[] | undefined;
  const close = () => {
    if (group.size > 0) groups.push(new Map([...group].map(([name, lines]) => [name, lines.join(' ')])));
    group = new Map();
    last = undefined;
  };
  for (const line of text.split('\n')) {
    if (groups.length >= atMost) return groups;
    if (line.trim() === '') close();
    else if (line[0] === ' ' || line[0] === '\t') last?.push(line.trim());
    else last = addField(group, line);
  }
  close();
  return groups.slice(0, atMost);
}

function addField(group: Map<string, string[]>, line: string): string[] | undefined {
  const at = line.indexOf(':');
  const name = line.slice(0, Math.max(at, 0)).trim().toLowerCase();
  if (name === '' || /\s/.test(name)) return undefined;
  const lines = [line.slice(at + 1).trim()];
  if (!group.has(name)) group.set(name, lines);
  return lines;
}

/** The fields at the beginning of a mail. */
export function readHeader(text: string): Fields {
  const end = /\r?\n\r?\n/.exec(text)?.index;
  return readGroups(text.slice(0, end), 1)[0] ?? new Map();
}

/** Without its angle brackets, or null. */
export function headerIdOf(fields: Fields | undefined): string | null {
  const id = /<([!-;=?-~]{1,500})>/.exec((fields?.get('message-id') ?? '').slice(0, 1000))?.[1];
  return id ?? null;
}

/** `rfc822; a@b.c`, `utf-8; …` (RFC 6533), `<a@b.c>` or the bare address. Null if it is not an address, such as a redacted one. */
export function addressOf(value: string | undefined): string | null {
  if (value === undefined) return null;
  const bare = value.slice(0, 1000).replace(/^[\w-]+\s*;/, '');
  const inside = /<([^<>]*)>/.exec(bare)?.[1] ?? bare;
  const address = inside.trim().replace(/\\x\{([0-9a-f]{1,6})\}/gi, (_, hex: string) => characterOf(hex));
  return isAddress.test(address) ? address : null;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be stored
const isAddress = /^[^\s\u0000-\u001f\u007f@<>,;]{1,64}@[^\s\u0000-\u001f\u007f@<>,;]{1,255}$/;

function characterOf(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0x1f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' ';
}

/** For people, and without any address: it outlives an erasure. Begins with the code, or else with the status. */
export function reasonOf(status: string, said: string): string {
  const words = said
    .slice(0, 2000)
    .replace(/[^\s<>@"'(:;,]{1,64}@[^\s<>@"'):;,]+/g, '…')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be stored
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .toWellFormed();
  const isThere = words.startsWith(status) || /^[45]\d\d(?!\d)/.test(words);
  const reason = isThere ? words : `${status} ${words}`.trim();
  return reason.length <= 500 ? reason : `${reason.slice(0, 499).replace(/[\ud800-\udbff]$/, '')}…`;
}
