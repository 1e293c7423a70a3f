import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { animatedGif, gif, jpeg, png, webp } from '../../../test/pictures.js';
import { readPicture } from './read-picture.js';

const whole: [string, Buffer, object][] = [
  ['PNG', png(640, 480), { type: 'image/png', width: 640, height: 480 }],
  ['JPEG', jpeg(640, 480), { type: 'image/jpeg', width: 640, height: 480 }],
  ['progressive JPEG', jpeg(9, 7, 0xc2), { type: 'image/jpeg', width: 9, height: 7 }],
  ['GIF', gif, { type: 'image/gif', width: 1, height: 1 }],
  ['animated GIF, as large as its largest frame', animatedGif(7, 2), { type: 'image/gif', width: 7, height: 3 }],
  ['WebP with a canvas', webp.extended(3000, 20), { type: 'image/webp', width: 3000, height: 20 }],
  ['lossless WebP', webp.lossless(16_000, 9000), { type: 'image/webp', width: 16_000, height: 9000 }],
  ['lossy WebP', webp.lossy(12, 34), { type: 'image/webp', width: 12, height: 34 }],
];

describe('readPicture', () => {
  it.each(whole)('reads type and size of a %s', (_, bytes, expected) => {
    expect(readPicture(bytes)).toEqual(expected);
  });

  it.each(whole)('reads a %s with something behind it', (_, bytes, expected) => {
    expect(readPicture(Buffer.concat([bytes, Buffer.from('more')]))).toEqual(expected);
  });

  it.each(whole)('refuses a %s that is cut off anywhere, a JPEG before its data', (_, bytes) => {
    const scan = bytes.indexOf('ffda0008', 0, 'hex');
    const end = scan < 0 ? bytes.length : scan + 10;
    for (let length = 0; length < end; length++)
      expect([length, readPicture(bytes.subarray(0, length))]).toEqual([length, undefined]);
  });

  it('reads a JPEG without the mark at its end, such as the common one of a single pixel', () => {
    const tables = `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP${'/'.repeat(86)}`;
    const pixel = Buffer.from(`${tables}wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=`, 'base64');
    expect(readPicture(pixel)).toEqual({ type: 'image/jpeg', width: 1, height: 1 });
  });

  it.each([
    ['nothing', ''],
    ['text', 'not a picture'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7'],
    ['BMP', `BM${'\0'.repeat(60)}`],
    ['another RIFF file', 'RIFF\x24\0\0\0WAVEfmt '],
  ])('refuses %s', (_, text) => {
    expect(readPicture(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  it('refuses a picture without a size', () => {
    expect(readPicture(png(1, 1, { width: 0 }))).toBeUndefined();
    expect(readPicture(jpeg(0, 5))).toBeUndefined();
  });

  it('never throws and never hangs, whatever follows the first bytes', () => {
    const beginnings = whole.map(([, bytes]) => bytes);
    const broken = fc
      .tuple(fc.constantFrom(...beginnings), fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 20 }))
      .map(([bytes, changes]) => {
        const copy = Buffer.from(bytes);
        for (const [at, byte] of changes) copy[at % copy.length] = byte;
        return copy;
      });
    fc.assert(
      fc.property(broken, (bytes) => {
        const picture = readPicture(bytes);
        expect(picture === undefined || (picture.width > 0 && picture.height > 0)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
