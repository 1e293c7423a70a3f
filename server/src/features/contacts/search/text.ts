import { foldCase } from '../../../lib/text.js';
import type { Properties } from '../properties.js';

const longestName = 256;

/** What a search looks in. A line break keeps a match from running from the email into the name. */
export function searchText(contact: { email: string; properties: Properties }): string {
  const { first_name, last_name } = contact.properties;
  const name = [first_name, last_name].filter((part) => typeof part === 'string').join(' ');
  return foldCase(name === '' ? contact.email : `${contact.email}\n${name.slice(0, longestName).toWellFormed()}`);
}
