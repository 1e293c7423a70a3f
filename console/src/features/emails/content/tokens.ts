// The tokens of a subject: which variable each names, and its fallback. Pure.
interface Token {
  from: number;
  to: number;
  name: string;
  /** The value of its `default` filter; undefined without one. */
  fallback: string | undefined;
  /** A name and at most a fallback: its result is known without asking the service. */
  isPlain: boolean;
}

const token = /\{\{-?\s*([A-Za-z_]\w*)([^{}]*?)-?\}\}/g;
const fallbackFilter = /^\s*\|\s*default:\s*(?:"([^"]*)"|'([^']*)')\s*$/;

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(token)].map((match) => {
    const [whole, name = '', filters = ''] = match;
    const found = fallbackFilter.exec(filters);
    return {
      from: match.index,
      to: match.index + whole.length,
      name,
      fallback: found ? (found[1] ?? found[2] ?? '') : /\|\s*default\s*:/.test(filters) ? '' : undefined,
      isPlain: filters.trim() === '' || found !== null,
    };
  });
}

/** The first property that a contact may not have and that has no fallback. Platform and message variables always exist. */
export function withoutFallback(text: string, properties: ReadonlySet<string>): Token | undefined {
  // Inside a condition it may well be set: the author knows.
  if (text.includes('{%')) return undefined;
  return tokensOf(text).find(
    ({ name, fallback, isPlain }) => fallback === undefined && isPlain && properties.has(name),
  );
}

export function addFallback(text: string, { from, to, name }: Token, fallback: string): string {
  return `${text.slice(0, from)}{{${name} | default: "${fallback}"}}${text.slice(to)}`;
}

/** The text with another name in its tokens and tags; everything else is left alone. */
export function withName(text: string, wrong: string, right: string): string {
  const word = new RegExp(`(?<![\\w.])${wrong}(?!\\w)`, 'g');
  return text.replace(/\{\{[^}]*\}\}|\{%[^}]*%\}/g, (part) => part.replace(word, right));
}
