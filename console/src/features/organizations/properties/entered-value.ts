// A property value as typed, and as the API takes it.
export const valueTypes = ['text', 'number', 'boolean', 'list'] as const;
type ValueType = (typeof valueTypes)[number];

export interface Entered {
  type: ValueType;
  text: string;
  number: string | number;
  boolean: boolean;
  list: readonly string[];
}

/** A property is never empty: without a value it does not exist. */
type Fault = 'value' | 'number';
type Value = string | number | boolean | string[];

export function enteredOf(value: unknown): Entered {
  const none: Entered = { type: 'text', text: '', number: '', boolean: true, list: [] };
  if (typeof value === 'number') return { ...none, type: 'number', number: value };
  if (typeof value === 'boolean') return { ...none, type: 'boolean', boolean: value };
  if (Array.isArray(value)) return { ...none, type: 'list', list: value.map(String) };
  return { ...none, text: typeof value === 'string' ? value : '' };
}

export function resultOf(entered: Entered): { value: Value } | { fault: Fault } {
  switch (entered.type) {
    case 'text':
      return entered.text.trim() === '' ? { fault: 'value' } : { value: entered.text };
    case 'number':
      return typeof entered.number === 'number' && Number.isFinite(entered.number)
        ? { value: entered.number }
        : { fault: 'number' };
    case 'boolean':
      return { value: entered.boolean };
    case 'list':
      return entered.list.length === 0 ? { fault: 'value' } : { value: [...entered.list] };
  }
}
