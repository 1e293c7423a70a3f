import { foldCase } from '../../../lib/text.js';
import type { Properties } from '../properties.js';

const longestName = 256;

/** The text a search looks in. The tab keeps a match from running from the email into the name. No line breaks: see `lines`. */
export function searchText(contact: { email: string; properties: Properties }): string {
  const { first_name, last_name } = contact.properties;
  const name = [first_name, last_name].filter((part) => typeof part === 'string').join(' ');
  if (name === '') return foldCase(contact.email);
  return foldCase(`${contact.email}\t${name.slice(0, longestName).toWellFormed().replaceAll('\n', ' ')}`);
}
