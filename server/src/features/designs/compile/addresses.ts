// Where links lead: what is allowed, and how it is written.
import { type LinkAddress, linkSchemes } from '@rapport/contract';
import { literal, type Output, shownInAddress } from './liquid.js';

type Part = Exclude<LinkAddress, string>[number];

function partsOf(address: LinkAddress): readonly Part[] {
  return typeof address === 'string' ? [{ text: address }] : address.filter((part) => !('text' in part) || part.text);
}

const scheme = /^([a-z][a-z0-9+.-]*):/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is encoded
const blanks = /[\u0000-\u0020\u007f\u0085\u00a0\u2028\u2029]/g;

/** A blank that was typed into an address is meant: it is encoded, as a browser does. */
function withoutBlanks(text: string): string {
  return text.replace(blanks, encodeURIComponent);
}

/** What is wrong with the address of a link, if anything. */
export function faultOfAddress(address: LinkAddress): string | undefined {
  const parts = partsOf(address);
  const [first] = parts;
  if (first && !('text' in first)) return 'an address must not begin with a variable';
  const start = first?.text ?? '';
  const name = scheme.exec(start)?.[1]?.toLowerCase();
  if (!linkSchemes.some((allowed) => allowed === name))
    return 'a link must begin with http://, https://, mailto: or tel:';
  const sample = parts.map((part) => ('text' in part ? withoutBlanks(part.text) : 'x')).join('');
  if (name?.startsWith('http') && (!/^https?:\/\//i.test(sample) || !URL.canParse(sample)))
    return 'this is not a complete web address';
  return sample.length > `${name}:`.length ? undefined : 'this address leads nowhere';
}

/** A template that gives the address. Nothing if it must not be followed. */
export function writeAddress(address: LinkAddress, lang: string, output: Output): string | undefined {
  if (faultOfAddress(address) !== undefined) return undefined;
  return partsOf(address)
    .map((part) => ('text' in part ? literal(withoutBlanks(part.text), output) : shownInAddress(part, lang)))
    .join('');
}
