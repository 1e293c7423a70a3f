// Paths into an event's properties as people read them: `cart › total`.
const between = ' › ';

export function sayPath(path: unknown): string {
  if (Array.isArray(path)) return path.join(between);
  return typeof path === 'string' ? path : '';
}

/** A single key is written as it is, as the language allows. */
export function pathOf(text: string): string | readonly string[] {
  const keys = text.split(/\s*›\s*/).filter((key) => key !== '');
  return keys.length > 1 ? keys : text;
}
