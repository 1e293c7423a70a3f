/**
 * For JSON.stringify. 1e999 is valid JSON and parses to Infinity, which would be written as null, and null removes a
 * property. It becomes a nested value, which is ignored, as Infinity must be.
 */
export function withoutInfinity(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? {} : value;
}
