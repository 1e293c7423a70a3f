// Example values as a programmer would write them: on one line if that fits, else one item per line.

interface Spelling {
  /** Spaces per level of indentation. */
  step: number;
  string(text: string): string;
  key(name: string): string;
  word(value: boolean | null): string;
  /** Whether `{ a: 1 }` has spaces inside. */
  airy: boolean;
}

export const typescript: Spelling = {
  step: 2,
  string: singleQuoted,
  key: typescriptKey,
  word: String,
  airy: true,
};

function typescriptKey(name: string): string {
  // Written as a plain key it would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name);
}

export const python: Spelling = {
  step: 4,
  string: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  airy: false,
};

// The width of the code column on most screens.
const width = 62;

/** `before` is the text left of the value on its first line, `indent` the indentation of that line. */
export function literal(value: unknown, spelling: Spelling, indent = 0, before = 0): string {
  const line = onOneLine(value, spelling);
  if (typeof value !== 'object' || value === null || indent + before + line.length <= width) return line;
  const inner = indent + spelling.step;
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, spelling, inner))
    : Object.entries(value).map(([name, item]) => {
        const start = `${spelling.key(name)}: `;
        return start + literal(item, spelling, inner, start.length);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.map((item) => `${' '.repeat(inner)}${item},\n`).join('')}${' '.repeat(indent)}${close}`;
}

function onOneLine(value: unknown, spelling: Spelling): string {
  if (typeof value === 'string') return spelling.string(value);
  if (typeof value === 'boolean' || value === null) return spelling.word(value);
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item, spelling)).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const items = Object.entries(value).map(([name, item]) => `${spelling.key(name)}: ${onOneLine(item, spelling)}`);
  const air = spelling.airy && items.length > 0 ? ' ' : '';
  return `{${air}${items.join(', ')}${air}}`;
}

function singleQuoted(text: string): string {
  const quoted = JSON.stringify(text);
  return text.includes("'") ? quoted : `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'`;
}
