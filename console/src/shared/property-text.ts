import { t } from '../texts/property-value.ts';
import { t as shared } from '../texts/shared.ts';

/** A property as people read it: `Yes`, `red, blue`; `none` for no value. */
export function propertyText(value: unknown, none: string = shared.empty): string {
  if (value === null || value === undefined || value === '') return none;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (Array.isArray(value)) return value.map((each) => propertyText(each, none)).join(', ') || none;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
