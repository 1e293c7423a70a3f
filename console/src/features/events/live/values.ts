// Properties of events in a line of text.
import { propertyText } from '../../../shared/property-text.ts';

/** `format: csv · rows: 1200`: as much as fits; nested ones abbreviated. */
export function inOneLine(properties: Readonly<Record<string, unknown>>, longest = 120): string {
  const text = Object.entries(properties)
    .map(([key, value]) => `${key}: ${propertyText(value)}`)
    .join(' · ');
  return text.length <= longest ? text : `${text.slice(0, longest).trimEnd()}…`;
}
