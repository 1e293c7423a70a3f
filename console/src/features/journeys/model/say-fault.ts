import { t } from '../../../texts/journey-steps.ts';
import type { Definition } from './definition.ts';

interface Fault {
  readonly path: string;
  readonly message: string;
}

/** The text for a fault: what is still to be chosen, or the service's own message about what is there. */
export function sayFault({ path, message }: Fault, definition: Definition): string {
  const key = path.slice(path.lastIndexOf('.') + 1).replace(/\[\d+\]$/, '');
  const wanted = t.wanted[key];
  if (wanted !== undefined && isEmpty(valueAt(definition, path))) return wanted;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}

/** `definition.steps[1].emailId` */
function valueAt(definition: Definition, path: string): unknown {
  const keys = path.match(/[^.[\]]+/g)?.slice(1) ?? [];
  return keys.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
    definition,
  );
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}
