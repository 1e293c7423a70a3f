// What a template may ask of the parser. Beyond a few ten thousand tokens liquidjs takes quadratic time: 419,430 times
// `{{a}}`, 2 MiB, took it 170 s; at these limits it takes 0.2 s.
const mostConstructs = 10_000;
const mostCode = 200_000;

const closers: Record<string, string> = { '{{': '}}', '{%': '%}' };

/** What is too much about a template, if anything. Counts tokens and tags, and the characters in them; linear. */
export function excessOf(text: string): { offset: number; message: string } | undefined {
  let constructs = 0;
  let code = 0;
  const opener = /\{[{%]/g;
  for (let found = opener.exec(text); found; found = opener.exec(text)) {
    const end = text.indexOf(closers[found[0]] as string, found.index + 2);
    // Not closed: the parser says so, and reads no further.
    if (end < 0) return undefined;
    code += end - found.index;
    if (++constructs > mostConstructs)
      return { offset: found.index, message: `more than ${mostConstructs} tokens and tags` };
    if (code > mostCode) return { offset: found.index, message: `more than ${mostCode} characters in tokens and tags` };
    opener.lastIndex = end + 2;
  }
  return undefined;
}
