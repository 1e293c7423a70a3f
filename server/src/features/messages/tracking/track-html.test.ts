import { randomBytes } from 'node:crypto';
import { decodeHTMLAttribute } from 'entities';
import { describe, expect, it } from 'vitest';
import { isGenuine, LinkMaker, parseToken } from './tokens.js';
import { trackHtml } from './track-html.js';
import { untrackHtml } from './untrack-html.js';

const base = 'https://mail.example.com';
const key = randomBytes(32);
const links = new LinkMaker(base, key, 7, '0190a3c4e5f67890a3c4e5f67890a3c4');
const clickAddress = /https:\/\/mail\.example\.com\/t\/c\/([\w-]+)/g;
const pixel = /<img src="https:\/\/mail\.example\.com\/t\/o\/[\w-]+" alt="" width="1" height="1" style="border:0">/;

/** The text with `[number url]` in place of each tracked link, and `[pixel]`. */
function shown(html: string): string {
  const tracked = trackHtml(html, links);
  return tracked.html.replace(pixel, '[pixel]').replace(clickAddress, (_, token: string) => {
    const parsed = parseToken('click', token);
    expect(parsed && isGenuine(key, parsed)).toBe(true);
    return `[${parsed?.linkNo} ${parsed?.url}]`;
  });
}

describe('a link is rewritten', () => {
  it.each([
    ['in double quotes', '<a href="https://a.test/x">', '<a href="[0 https://a.test/x]">'],
    ['in single quotes', "<a href='https://a.test/x'>", "<a href='[0 https://a.test/x]'>"],
    ['without quotes', '<a href=https://a.test/x>', '<a href=[0 https://a.test/x]>'],
    ['in capitals', '<A HREF="HTTPS://A.TEST/x">', '<A HREF="[0 HTTPS://A.TEST/x]">'],
    ['of http', '<a href="http://a.test">', '<a href="[0 http://a.test]">'],
    [
      'of an area',
      '<map><area href="https://a.test/x" shape=rect>',
      '<map><area href="[0 https://a.test/x]" shape=rect>',
    ],
    [
      'among attributes',
      '<a class=b\n href = "https://a.test/x"\ttitle=">">',
      '<a class=b\n href = "[0 https://a.test/x]"\ttitle=">">',
    ],
    [
      'without space between attributes',
      '<a title="b"href="https://a.test/x"id=c>',
      '<a title="b"href="[0 https://a.test/x]"id=c>',
    ],
    ['after a slash', '<a/href="https://a.test/x"/>', '<a/href="[0 https://a.test/x]"/>'],
    ['with entities', '<a href="https://a.test/?b=1&amp;c=&#x32;&eacute;">', '<a href="[0 https://a.test/?b=1&c=2é]">'],
    [
      'with what only looks like entities',
      '<a href="https://a.test/?b=1&copy=2&c">',
      '<a href="[0 https://a.test/?b=1&copy=2&c]">',
    ],
    ['whose scheme is hidden', '<a href="&#104;ttps&colon;//a.test/">', '<a href="[0 https://a.test/]">'],
    ['with blanks and line breaks', '<a href=" \nhttps://a.t\nest/x\t ">', '<a href="[0 https://a.test/x]">'],
    [
      'that comes first of two',
      '<a href="https://a.test/1" href="https://a.test/2">',
      '<a href="[0 https://a.test/1]" href="https://a.test/2">',
    ],
    [
      'after text that looks like a tag',
      '1 < 2 <3 <a href="https://a.test/x">',
      '1 < 2 <3 <a href="[0 https://a.test/x]">',
    ],
    [
      'after a quote in an end tag',
      '</p title=\'<a href="https://b.test/">\'><a href="https://a.test/">',
      '</p title=\'<a href="https://b.test/">\'><a href="[0 https://a.test/]">',
    ],
    [
      'after a comment, however it ends',
      '<!-- x --!><!--><!---><a href="https://a.test/">',
      '<!-- x --!><!--><!---><a href="[0 https://a.test/]">',
    ],
    [
      'after text that is no HTML',
      '<title><a href="</title ><style>b</STYLE><a href="https://a.test/">',
      '<title><a href="</title ><style>b</STYLE><a href="[0 https://a.test/]">',
    ],
    [
      'for all but Outlook',
      '<!--[if !mso]><!--><a href="https://a.test/"><!--<![endif]-->',
      '<!--[if !mso]><!--><a href="[0 https://a.test/]"><!--<![endif]-->',
    ],
    ['with other letters', '<a href="https://ä.test/ü?q=日本">', '<a href="[0 https://ä.test/ü?q=日本]">'],
  ])('%s', (_what, html, expected) => expect(shown(html)).toBe(`${expected}[pixel]`));

  it('with one number for one target, counted from zero', () => {
    const html =
      '<a href="https://a.test/"><a href="https://b.test/?x&amp;y"><a href=https://a.test/><a href="https://b.test/?x&y">';
    expect(shown(html)).toBe(
      '<a href="[0 https://a.test/]"><a href="[1 https://b.test/?x&y]"><a href=[0 https://a.test/]><a href="[1 https://b.test/?x&y]">[pixel]',
    );
    expect(trackHtml(html, links).links).toEqual(['https://a.test/', 'https://b.test/?x&y']);
  });

  it('for Outlook alone, with a number after those that every reader sees', () => {
    const html =
      '<!--[if mso]><v:roundrect href="https://a.test/"><a href=\'https://o.test/\'>x</a></v:roundrect><![endif]--><a href="https://a.test/">';
    expect(shown(html)).toBe(
      '<!--[if mso]><v:roundrect href="[0 https://a.test/]"><a href=\'[1 https://o.test/]\'>x</a></v:roundrect><![endif]--><a href="[0 https://a.test/]">[pixel]',
    );
    expect(trackHtml(html, links).links).toEqual(['https://a.test/']);
  });
});

describe('a link is left as it is', () => {
  it.each([
    ...[
      'mailto:a@b.test',
      'tel:+491',
      '#top',
      'data:text/html,x',
      'javascript:https://a.test/',
      '/relative',
      '//a.test/',
      '',
    ].map((target) => `<a href="${target}">`),
    '<a href="https://">',
    '<a href="https://a b.test/">',
    `<a href="https://a.test/${'x'.repeat(4000)}">`,
    '<a>',
    '<a href>',
    '<a name="https://a.test/">',
    '<abbr href="https://a.test/">',
    '<link href="https://a.test/"><img src="https://a.test/">',
    '</a href="https://a.test/">',
    '<!-- <a href="https://a.test/"> -->',
    '<!--[if mso]><a href=https://a.test/><![endif]-->',
    '<! <a href="https://a.test/">',
    '<style>/* <a href="https://a.test/"> */</style>',
    '<script>"<a href=\'https://a.test/\'>"</script>',
    '<textarea><a href="https://a.test/"></textarea>',
    '<TITLE><a href="https://a.test/"></TITLE>',
    '<p title="<a href=\'https://a.test/\'>">',
    '<v:rect href="https://a.test/">',
    `<a href="${links.unsubscribe()}"><a href='${links.view()}#top'>`,
  ])('%s', (html) => {
    expect(shown(html)).toBe(`${html}[pixel]`);
    expect(trackHtml(html, links).links).toEqual([]);
  });

  it.each([
    ['<a data-rapport-track="off" href="https://a.test/">', '<a href="https://a.test/">'],
    ['<a href=https://a.test/ DATA-RAPPORT-TRACK=OFF>', '<a href=https://a.test/>'],
    ['<a href=https://a.test/ data-rapport-track="off"/>', '<a href=https://a.test/ />'],
    ['<a data-rapport-track="on" href="https://a.test/">', '<a href="[0 https://a.test/]">'],
    ['<a href="mailto:a@b.test" data-rapport-track>', '<a href="mailto:a@b.test">'],
  ])('where it says so, and says so no more: %s', (html, expected) => expect(shown(html)).toBe(`${expected}[pixel]`));
});

describe('the pixel', () => {
  it.each([
    ['<html><body><p>x</p></body></html>', '<html><body><p>x</p>[pixel]</body></html>'],
    ['<body>x</BODY\n>', '<body>x[pixel]</BODY\n>'],
    ['a</body>b</body>c', 'a</body>b[pixel]</body>c'],
    ['x</body><a href="https://a.test/">y', 'x[pixel]</body><a href="[0 https://a.test/]">y'],
    ['x<!-- </body> -->', 'x<!-- </body> -->[pixel]'],
    ['<p>x', '<p>x[pixel]'],
    ['', '[pixel]'],
    ['x<!-- y', 'x[pixel]<!-- y'],
    ['x<style> y', 'x[pixel]<style> y'],
    ['x<p title="y', 'x[pixel]<p title="y'],
  ])('goes into %j', (html, expected) => expect(shown(html)).toBe(expected));
});

describe('in a preview', () => {
  it.each([
    [
      'in all kinds of quotes',
      `<a href="https://a.test/1">1</a><a href='https://a.test/2'>2</a><a href=https://a.test/3>3</a>`,
    ],
    ['in a whole page', '<html><body><p><a href="https://a.test/">x</a></p></body></html>'],
    ['in conditional comments', '<!--[if mso]><v:rect href="https://a.test/x"></v:rect><![endif]-->'],
    [
      'for links that were left alone',
      '<a href="mailto:ada@a.test">x</a><a href="#top">y</a><img src="https://a.test/t/o/x">',
    ],
    ['for links of others that look alike', '<a href="https://a.test/t/c/AAAA">x</a>'],
  ])('nothing is tracked: %s', (_, html) => {
    expect(
      untrackHtml(trackHtml(html, links).html).replaceAll(/&#(\d+);/g, (_all, code) => String.fromCharCode(code)),
    ).toBe(html);
  });

  it('links lead where a reader ends up, whatever is in them, and those of the mail itself stay', () => {
    const own = links.links();
    const html = `<a href="https://a.test/?b=1&amp;c=%22d">x</a><a href="${own.unsubscribeUrl}">y</a><a href="${own.viewUrl}">z</a>`;
    const shownLinks = [...untrackHtml(trackHtml(html, links).html).matchAll(/href="([^"]*)"/g)].map(
      ([, href]) => href,
    );
    expect(shownLinks.slice(1)).toEqual([own.unsubscribeUrl, own.viewUrl]);
    expect(decodeHTMLAttribute(shownLinks[0] ?? '')).toBe('https://a.test/?b=1&c=%22d');
  });
});
