import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinkMaker } from './tokens.js';
import { trackHtml } from './track-html.js';

const base = 'https://mail.example.com';
const key = randomBytes(32);
const links = new LinkMaker(base, key, 7, '0190a3c4e5f67890a3c4e5f67890a3c4');
const clickAddress = /https:\/\/mail\.example\.com\/t\/c\/([\w-]+)/g;
const pixel = /<img src="https:\/\/mail\.example\.com\/t\/o\/[\w-]+" alt="" width="1" height="1" style="border:0">/;

describe('whatever the text', () => {
  const word = fc.constantFrom(
    '<a ',
    'href=',
    '"',
    "'",
    'https://a.test/?b&c',
    ' ',
    '>',
    '<',
    '</',
    '<!--',
    '-->',
    '<![',
    '[if mso]>',
    '<style>',
    '</style>',
    '<area href="http://b.test">',
    '</body>',
    '=',
    '/',
    'x',
    '\n',
    '&amp;',
    '<title>',
    '</title>',
    '<v:r ',
  );
  const soup = fc.oneof(
    fc.array(word, { maxLength: 60 }).map((words) => words.join('')),
    fc.string({ unit: 'binary', maxLength: 300 }),
  );

  it('everything except rewritten links and the pixel stays, byte for byte', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const tracked = trackHtml(html, links).html.replace(pixel, '');
        // The pieces between rewritten links appear in the text in order, each separated by a target.
        const [first = '', ...others] = tracked.split(clickAddress).filter((_, index) => index % 2 === 0);
        expect(html.startsWith(first)).toBe(true);
        const last = others.at(-1);
        if (last !== undefined) expect(html.endsWith(last)).toBe(true);
        let at = first.length;
        for (const piece of others) {
          const next = html.indexOf(piece, at + 1);
          expect(next).toBeGreaterThan(at);
          at = next + piece.length;
        }
        if (others.length === 0) expect(tracked).toBe(html);
      }),
      { numRuns: 500 },
    );
  });

  it('undoing every rewritten link gives the original text', () => {
    const plain = fc.constantFrom(
      '<p>x &amp; y</p>',
      '<!-- <a href="https://c.test/"> -->',
      '<style>a>b{}</style>',
      '\r\n',
      'é',
      '<img alt="<a href=\'https://i.test\'>">',
      '<a href="mailto:a@b.test">',
      '</td>',
    );
    const target = fc.constantFrom(
      'https://a.test/',
      'http://b.test/?c=1&amp;d=2',
      ' https://e.test/\n',
      'https://f.test/?g&h=&quot;',
      'HTTPS://I.test',
    );
    const link = fc.tuple(
      fc.constantFrom('a', 'A', 'area'),
      fc.constantFrom('href=', 'HREF = ', 'id=x href='),
      fc.constantFrom('"', "'"),
      target,
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(plain, link), { maxLength: 40 }), (parts) => {
        const html = parts
          .map((part) => (typeof part === 'string' ? part : `<${part[0]} ${part[1]}${part[2]}${part[3]}${part[2]}>`))
          .join('');
        const targets = parts.flatMap((part) => (typeof part === 'string' ? [] : part[3]));
        const undone = trackHtml(html, links)
          .html.replace(pixel, '')
          .replace(clickAddress, () => targets.shift() ?? '?');
        expect(undone).toBe(html);
        expect(targets).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  const mebibytes = (text: string) => text.repeat(Math.floor((2 * 1024 * 1024) / text.length));
  const hostile = [
    '<p>',
    '<',
    '<!--',
    '<a href="x">',
    '<body ',
    '<body "',
    '&amp;',
    '<br>',
    '</',
    '<a ',
    '<a href="',
    '<a href=https://x.test/&',
    '<style>',
    '<style></style>',
    '<!--[if ',
    '<!--[if x]><a href="-->',
    '<!--[if x]><style>-->',
    '<!--[if mso]><a href="https://a.test">-->',
    '<!--->',
    '-',
    '<a data-rapport-track=off href=x>',
    '<a data-rapport-track data-rapport-track ',
    '<a b=\'"',
  ];

  // With quadratic time each would take minutes, and the test would time out.
  it.each(hostile)('2 MiB of %s are read in the time that a test has', (text) => {
    const html = mebibytes(text);
    expect(trackHtml(html, links).html).toMatch(pixel);
  });

  it('5,000 links in 2 MiB all lead here', () => {
    const html = Array.from(
      { length: 5000 },
      (_, i) => `<p>${'x'.repeat(380)}</p><a href="https://a.test/?n=${i}&amp;m">go</a>`,
    ).join('');
    const tracked = trackHtml(html, links);
    expect(tracked.links).toHaveLength(5000);
    expect(tracked.html.match(clickAddress)).toHaveLength(5000);
  });
});
