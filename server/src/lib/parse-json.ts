// JSON.parse with reliable keys. After any text with the key `\`, V8 of Node 24 and 26 may also read the key "\n" or "\u00e9"
// of another text as `\` (nodejs/node#63785): one tenant's keys would corrupt another's. Keys without an escape are safe, so
// keys with one are parsed under another name, and then get their own back.

// A character that is never used; a key that begins with it is renamed as well.
const mark = '\ue000';

/** Like JSON.parse: throws a SyntaxError for invalid JSON. */
export function parseJson(text: string): unknown {
  if (!text.includes('\\')) return JSON.parse(text);
  const renamed = renameKeys(text);
  return renamed === text ? JSON.parse(text) : restoreKeys(JSON.parse(renamed));
}

function renameKeys(text: string): string {
  let renamed = '';
  let copied = 0;
  for (let from = text.indexOf('"'); from !== -1; from = text.indexOf('"', from)) {
    const { to, hasEscape } = endOfText(text, from);
    if ((hasEscape || text[from + 1] === mark) && isColonNext(text, to)) {
      const key = JSON.parse(text.slice(from, to)) as string;
      renamed += `${text.slice(copied, from)}"${mark}${Buffer.from(key, 'utf16le').toString('hex')}"`;
      copied = to;
    }
    from = to;
  }
  return copied === 0 ? text : renamed + text.slice(copied);
}

function endOfText(text: string, from: number): { to: number; hasEscape: boolean } {
  let hasEscape = false;
  for (let i = from + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return { to: i + 1, hasEscape };
    if (code !== 0x5c) continue;
    hasEscape = true;
    i++;
  }
  return { to: text.length, hasEscape };
}

function isColonNext(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t' || text[at] === '\r') at++;
  return text[at] === ':';
}

/** In place, and without recursion: text may be nested deeper than the stack. */
function restoreKeys(value: unknown): unknown {
  const open = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== 'object' || each === null) continue;
    if (!Array.isArray(each)) restoreKeysOf(each as Record<string, unknown>);
    for (const inner of Object.values(each)) open.push(inner);
  }
  return value;
}

function restoreKeysOf(object: Record<string, unknown>): void {
  const entries = Object.entries(object);
  if (!entries.some(([key]) => key.startsWith(mark))) return;
  // All of them, so that their order stays.
  for (const [key] of entries) delete object[key];
  for (const [key, value] of entries) {
    const name = key.startsWith(mark) ? Buffer.from(key.slice(mark.length), 'hex').toString('utf16le') : key;
    // Defined, not assigned: the name may be __proto__.
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  }
}
