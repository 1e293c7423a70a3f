import { describe, expect, it } from 'vitest';
import { processorMsOf } from '../../test/processor-time.js';
import { plainText } from './plain-text.js';
import { insertPreheader } from './preheader.js';

/** Quadratic time would take minutes of the processor. */
const tooLong = 10_000;
const hostile = [
  '<p>',
  '<div>',
  '<',
  '<!--',
  '<a href="x">',
  '<b>x</b>',
  '<table><tr><td>',
  '<ul><li>',
  '<body ',
  '<body "',
  '&amp;',
  '<br>',
];
const mebibytes = (text: string) => text.repeat(Math.floor((2 * 1024 * 1024) / text.length));

describe('the preheader', () => {
  const put = (html: string) => insertPreheader(html, 'A & <b>').replace(/ style="[^"]*"/, '');
  const hidden = '<div>A &amp; &lt;b&gt;</div>';

  it.each([
    ['<html><body><p>x</p>', `<html><body>${hidden}<p>x</p>`],
    ['<BODY class="a>b" id=\'c>d\'>x', `<BODY class="a>b" id='c>d'>${hidden}x`],
    ['<!-- <body> --><body>x', `<!-- <body> --><body>${hidden}x`],
    ['<p>x</p>', `${hidden}<p>x</p>`],
    ['<bodyguard>x', `${hidden}<bodyguard>x`],
    ['<!-- <body>', `${hidden}<!-- <body>`],
    ['<body class="', `${hidden}<body class="`],
  ])('goes first into the body of %s', (html, expected) => expect(put(html)).toBe(expected));

  it('is left out when there is none', () => {
    expect(insertPreheader('<body>', null)).toBe('<body>');
    expect(insertPreheader('<body>', '')).toBe('<body>');
  });

  it.each(hostile)('goes quickly into 2 MiB of %s', (text) => {
    expect(processorMsOf(() => insertPreheader(mebibytes(text), 'x'))).toBeLessThan(tooLong);
  });
});

describe('the plain-text part', () => {
  it('keeps words, lists and links, and leaves out what is not read', () => {
    const html = `<head><title>T</title><style>p{}</style></head><body><h1>Hello</h1><p>See <a href="https://x.test/a">this</a>
      and <a href="https://x.test">https://x.test</a>.</p><ul><li>one</li><li>two</li></ul><img src="a.png" alt="A"><script>x()</script></body>`;
    expect(plainText(html)).toBe('Hello\n\nSee this [https://x.test/a] and https://x.test.\n\n * one\n * two\n\nA');
  });

  it('keeps the cells of a row apart, and the rows', () => {
    const html =
      '<table><tr><th>Left cell</th><th>Right cell</th></tr><tr><td>Price</td><td>€ 12,50</td></tr></table><p>Thanks</p>';
    expect(plainText(html)).toBe('Left cell Right cell\nPrice € 12,50\n\nThanks');
  });

  it('gives a cell with paragraphs a part of its own, as columns of a layout have', () => {
    const html =
      '<table><tr><td><p>One</p><p>Two</p></td><td><table><tr><td>Three</td><td>Four</td></tr></table></td></tr></table>';
    expect(plainText(html)).toBe('One\n\nTwo\n\nThree Four');
  });

  it('uses the alternative text of a picture, so that a picture button is not a bare address', () => {
    expect(plainText('<a href="https://x.test/buy"><img src="b.png" alt="Buy &amp; save"></a>')).toBe(
      'Buy & save [https://x.test/buy]',
    );
    expect(plainText('<p>a<img src="a.png" alt="">b<img src="c.png"></p>')).toBe('ab');
  });

  it.each([
    '<div style="display:none">x</div>',
    '<div style="color:red; DISPLAY : none !important">x</div>',
    "<span style='visibility: hidden'>x</span>",
    '<div hidden>x</div>',
    '<div style="max-height:0px;overflow:hidden">x</div>',
    '<div style="opacity:0;">x</div>',
    '<table><tr><td style="display:none"><p>x</p></td></tr></table>',
    '<img style="display:none" alt="x" src="p.gif">',
    '<!--[if mso]><p>x</p><![endif]-->',
    insertPreheader('', 'x'),
  ])('leaves out what is hidden: %s', (hidden) => {
    expect(plainText(`<p>Seen</p>${hidden}<p>Too</p>`)).toBe('Seen\n\nToo');
  });

  it.each([
    '<p title="display:none">x</p>',
    '<p data-note="hidden">x</p>',
    '<p style="font-size:0.9em;opacity:0.5;max-height:0.5em">x</p>',
    '<!--[if !mso]><!--><p>x</p><!--<![endif]-->',
    '<p class="hidden-on-phones">x</p>',
    // As MJML writes every text: cells without size between which there is no gap, and words with a size of their own.
    '<table><tr><td style="font-size:0px;padding:10px 25px;"><div style="font-size:13px;">x</div></td></tr></table>',
    // Only Outlook hides it, which has drawn the same button before.
    '<p><a style="color:#fff;mso-hide:all;">x</a></p>',
  ])('keeps what is seen: %s', (shown) => {
    expect(plainText(`<p>a</p>${shown}`)).toBe('a\n\nx');
  });

  it('has the words of a list that begins where Roman numerals end', () => {
    expect(plainText('<p>a</p><ol type="i" start="10000"><li>one</li></ol>')).toBe('a one');
  });

  it('loses only its tags when there are very many', () => {
    const html = `<style>p{}</style><!-- c --><script>x</script>${'<p>a &amp; b</p>'.repeat(6000)}`;
    expect(plainText(html)).toBe(Array(6000).fill('a & b').join(' '));
  });

  it.each(hostile)('is made quickly from 2 MiB of %s', (text) => {
    expect(processorMsOf(() => plainText(mebibytes(text)))).toBeLessThan(tooLong);
  });

  it.each(hostile)('is made quickly from 9,000 of %s', (text) => {
    const tags = text.split('<').length - 1 || 1;
    expect(processorMsOf(() => plainText(text.repeat(Math.floor(9000 / tags))))).toBeLessThan(tooLong);
  });
});
