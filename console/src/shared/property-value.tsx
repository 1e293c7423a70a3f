import { t } from '../texts/property-value.ts';
import { t as shared } from '../texts/shared.ts';
import classes from './property-value.module.css';

/** A property in a cell: one line, the whole value on demand. */
export function PropertyValue({ value }: { value: unknown }) {
  const text = textOf(value);
  return (
    <span className={classes.value} title={text.length > 20 ? text : undefined}>
      {text}
    </span>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return shared.empty;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (Array.isArray(value)) return value.map(textOf).join(', ') || shared.empty;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
