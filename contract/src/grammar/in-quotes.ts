// A text of somebody else's in a sentence of ours. Needs no TypeBox.

/**
 * In curly quotes, so that nothing in it can pass for our own words: one that has such quotes itself stands in straight ones, as JSON writes
 * it, and what cannot be seen is escaped as in JSON.
 */
export function inQuotes(text: string): string {
  const json = JSON.stringify(text);
  return /[“”]/.test(text) ? json : `“${json.slice(1, -1).replaceAll('\\"', '"')}”`;
}
