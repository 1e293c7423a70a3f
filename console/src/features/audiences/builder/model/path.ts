// Paths into an event's properties as people read them: `cart › total`.
const between = ' › ';

export function sayPath(path: unknown): string {
  if (Array.isArray(path)) return path.join(between);
  return typeof path === 'string' ? path : '';
}

/** One key is written as it is; the language takes it so. */
export function pathOf(text: string): string | readonly string[] {
  const keys = text.split(/\s*›\s*/).filter((key) => key !== '');
  return keys.length > 1 ? keys : text;
}
