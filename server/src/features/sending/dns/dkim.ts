// Whether the DKIM key that is published is ours (RFC 6376, section 3.6.1).
import type { Lookups, Verdict } from './lookups.js';
import { readTags, startsWithVersion } from './tags.js';

export function dkimRecord(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`;
}

/** @param publicKey the one that mail is signed for, base64. */
export async function checkDkim(dns: Lookups, name: string, publicKey: string): Promise<Verdict> {
  const found = (await dns.txt(name)).filter((text) => text.trim() !== '');
  const [text, ...more] = found;
  if (text === undefined)
    return { state: 'missing', detail: `There is no TXT record at ${name}. Publish one with this value.` };
  if (more.length > 0) {
    return {
      state: 'wrong',
      detail: `There are ${found.length} TXT records at ${name}, and receivers may read any of them. Keep only this value.`,
    };
  }
  const fault = faultOf(text, publicKey);
  return fault
    ? { state: 'wrong', detail: `${fault} Publish this value instead.` }
    : { state: 'found', detail: noteOn(text) };
}

function faultOf(text: string, publicKey: string): string | undefined {
  const tags = readTags(text);
  if (!tags) return 'The TXT record is not a DKIM key.';
  if (tags.has('v') && !startsWithVersion(tags, 'DKIM1')) return 'The record must start with v=DKIM1.';
  const key = tags.get('p')?.replace(/\s/g, '');
  if (key === undefined) return 'The record has no key (p=).';
  if (key === '') return 'The record revokes the key: p= is empty.';
  if ((tags.get('k') ?? 'rsa') !== 'rsa') return 'The record says that its key is not an RSA key (k=).';
  if (!listed(tags.get('h'), 'sha256')) return 'The record does not allow signatures with SHA-256 (h=).';
  if (!listed(tags.get('s'), 'email')) return 'The record is not for mail (s=).';
  if (key !== publicKey)
    return publicKey.startsWith(key)
      ? 'The key was cut off. It may need to be split into strings of 255 characters.'
      : 'It is a different key.';
  return undefined;
}

/** No list, or one with the word or an asterisk. */
function listed(list: string | undefined, word: string): boolean {
  const words = list?.split(':').map((each) => each.trim());
  return words === undefined || words.includes(word) || words.includes('*');
}

function noteOn(text: string): string {
  const flags = readTags(text)?.get('t')?.split(':') ?? [];
  const isTest = flags.some((flag) => flag.trim() === 'y');
  return isTest
    ? 'The key is correct. The record says that the domain only tests DKIM (t=y): remove that once email arrives.'
    : 'The key is correct.';
}
