// Properties of events in a line of text.

/** `format: csv · rows: 1200`: as much as fits; nested ones abbreviated. */
export function inOneLine(properties: Readonly<Record<string, unknown>>, longest = 120): string {
  const text = Object.entries(properties)
    .map(([key, value]) => `${key}: ${shortValue(value)}`)
    .join(' · ');
  return text.length <= longest ? text : `${text.slice(0, longest).trimEnd()}…`;
}

export function shortValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
