// Property values as people write them. Pure.

export type ValueKind = 'text' | 'number' | 'boolean' | 'list';
type Read = { value: unknown } | { fault: 'number' };

export function kindOf(value: unknown): ValueKind {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

/** The text in the field while editing. A list has one value per line. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(textOf).join('\n') : String(value);
}

/** The input as a value of its type. In a list, entries that look as before keep their type: 3 stays a number. */
export function readValue(text: string, kind: ValueKind, before?: unknown): Read {
  switch (kind) {
    case 'text':
      return { value: text };
    case 'boolean':
      return { value: text === 'true' };
    case 'number': {
      const number = Number(text.trim());
      return text.trim() === '' || !Number.isFinite(number) ? { fault: 'number' } : { value: number };
    }
    case 'list': {
      const known = new Map((Array.isArray(before) ? before : []).map((each) => [textOf(each), each]));
      const lines = text.split('\n').map((line) => line.trim());
      return { value: lines.filter((line) => line !== '').map((line) => known.get(line) ?? line) };
    }
  }
}

/** Only the platform sets these. */
export const isPlatformKey = (key: string): boolean => key === 'unsubscribed';
