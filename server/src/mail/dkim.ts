// Signs mails (RFC 6376: rsa-sha256, relaxed/relaxed). Ours, because the key is read once, the signature is made on another thread, and what
// is signed is named exactly: also a second From, so that none can be added.
import { createHash, type KeyObject, sign } from 'node:crypto';
import type { Header } from './mime.js';

export interface Signature {
  domain: string;
  selector: string;
  key: KeyObject;
}

/** The DKIM-Signature of a mail with these headers and this body. */
export async function dkimSignature(
  { domain, selector, key }: Signature,
  headers: readonly Header[],
  body: Buffer,
): Promise<Header> {
  const bodyHash = createHash('sha256').update(relaxedBody(body)).digest('base64');
  const names = [...headers.map(([name]) => name.toLowerCase()), 'from'];
  const fields = `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; q=dns/txt;\r\n s=${selector}; bh=${bodyHash};\r\n h=${foldNames(names)};\r\n b=`;
  // From the last header of a name to the first. There is one of each; the second From does not exist, and adds nothing.
  const signed = headers.map(relaxedHeader).join('\r\n');
  const text = `${signed}\r\n${relaxedHeader(['DKIM-Signature', fields])}`;
  const signature = await new Promise<Buffer>((resolve, reject) => {
    sign('sha256', Buffer.from(text), key, (error, made) => (error ? reject(error) : resolve(made)));
  });
  return ['DKIM-Signature', fields + signature.toString('base64').replace(/.{70}(?=.)/g, '$&\r\n ')];
}

function foldNames(names: readonly string[]): string {
  let column = 3;
  return names
    .map((name, i) => {
      const breaks = column + name.length > 70;
      column = breaks ? name.length + 2 : column + name.length + 1;
      return `${breaks ? '\r\n  ' : ''}${name}${i < names.length - 1 ? ':' : ''}`;
    })
    .join('');
}

function relaxedHeader([name, value]: Header): string {
  return `${name.toLowerCase()}:${value
    .replace(/\r\n(?=[ \t])/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;
}

const [cr, lf, space, tab] = [13, 10, 32, 9];

/** Blanks are one space each, and none ends a line; nor do empty lines end the body. By bytes: patterns took ten times as long. */
function relaxedBody(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length + 2);
  let size = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number;
    if (byte !== space && byte !== tab) {
      out[size++] = byte;
      continue;
    }
    while (body[at + 1] === space || body[at + 1] === tab) at++;
    if (body[at + 1] !== cr || body[at + 2] !== lf) out[size++] = space;
  }
  while (size >= 2 && out[size - 2] === cr && out[size - 1] === lf) size -= 2;
  if (size > 0) {
    out[size++] = cr;
    out[size++] = lf;
  }
  return out.subarray(0, size);
}
