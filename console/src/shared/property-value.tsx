import { t as shared } from '../texts/shared.ts';
import { propertyText } from './property-text.ts';
import classes from './property-value.module.css';

/** A property in a cell: one line, the whole value on demand. */
export function PropertyValue({ value }: { value: unknown }) {
  const text = propertyText(value);
  return (
    <span className={classes.value} title={text === shared.empty ? undefined : text}>
      {text}
    </span>
  );
}
