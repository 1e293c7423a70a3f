import { propertyText } from './property-text.ts';
import classes from './property-value.module.css';

// Shorter texts fit into two lines. A hint that the keyboard cannot reach is worth having only where much is cut.
const mostInCell = 20;

/** A property in a cell: two lines at most, the whole value on demand. */
export function PropertyValue({ value }: { value: unknown }) {
  const text = propertyText(value);
  return (
    <span className={classes.value} title={text.length > mostInCell ? text : undefined}>
      {text}
    </span>
  );
}
