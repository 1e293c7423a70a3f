import type { Block, DesignTheme } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { gallery } from '../../../../test/designs/gallery.js';
import { compiled, nothingKnown, rendered, seenIn } from '../../../../test/designs/render.js';
import { button, design, footer, heading, p, text } from '../../../../test/designs/words.js';
import { contrastOf } from '../compile/colours.js';

const htmlOf = (blocks: Block[], theme?: DesignTheme) => compiled(design(blocks, theme)).html;

describe('compiling', () => {
  it('is a pure function: the same design gives the same bytes', () => {
    for (const one of Object.values(gallery)) expect(compiled(structuredClone(one))).toEqual(compiled(one));
  });

  it('tells the bytes of the html', () => {
    const { html, size } = compiled(gallery['right to left'] as never);
    expect(size).toBe(Buffer.byteLength(html));
    expect(size).toBeGreaterThan(html.length);
  });
});

describe('every document', () => {
  it.each(Object.entries(gallery))('has roles, alts and widths, and neither script nor form: %s', (_name, one) => {
    const { html } = rendered(one, { words: { data: { lines: [{ name: 'a', price: 1 }] } } });
    for (const [tag] of html.matchAll(/<table[^>]*>/g)) expect(tag).toContain('role="presentation"');
    for (const [tag] of html.matchAll(/<img[^>]*>/g)) expect(tag).toMatch(/ alt="[^"]*" width="\d+"/);
    expect(html).not.toMatch(/<script|<form|<input|javascript:/i);
    expect(html.match(/<table|<!--\[if mso\]><table/g)?.length).toBe(html.match(/<\/table>/g)?.length);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('<meta name="supported-color-schemes" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark){');
    expect(html).toMatch(/\[data-ogsc\] \.r-tx\{color:/);
    expect(html).toMatch(/\[data-ogsb\] \.r-sf\{background-color:/);
  });

  it('says its language and direction', () => {
    expect(htmlOf([])).toContain('<html lang="en" dir="ltr"');
    for (const lang of ['ar', 'he', 'fa-IR', 'ur', 'az-Arab'])
      expect(htmlOf([], { lang })).toContain(`<html lang="${lang}" dir="rtl"`);
    for (const lang of ['de', 'pt-BR', 'ku-Latn', 'ar-Latn'])
      expect(htmlOf([], { lang })).toContain(`<html lang="${lang}" dir="ltr"`);
  });

  it('has one place for the preheader: just after the start of the body', () => {
    expect(htmlOf([]).match(/<body/g)).toHaveLength(1);
  });
});

describe('Outlook on Windows', () => {
  it('gets a shape for a button, with the same address, and the label once', () => {
    const html = htmlOf([{ ...button('Press me', 'https://x.io/?a=1&b=2'), wide: true }], {
      radius: 12,
      button: '#123456',
    });
    expect(html).toMatch(
      /<!--\[if mso\]><v:roundrect href="https:\/\/x\.io\/\?a=1&amp;b=2" style="height:48px;v-text-anchor:middle;width:536px" arcsize="25%"/,
    );
    expect(html).toContain('fillcolor="#123456"');
    expect(html).toContain('</center></v:roundrect><![endif]-->');
    expect(html.split('Press me')).toHaveLength(2);
    expect(html).toContain('xmlns:v="urn:schemas-microsoft-com:vml"');
  });

  it('gets a table for columns, with widths in pixels', () => {
    const half = (words: string) => ({ width: 50, blocks: [text(words)] });
    const html = htmlOf([{ type: 'columns', columns: [half('a'), half('b')] }]);
    expect(
      html.match(/<!--\[if mso\]>(?:<table[^>]*><tr>|<\/td>)<td width="276" valign="top"><!\[endif\]-->/g),
    ).toHaveLength(2);
    expect(html).toContain('<!--[if mso]><table role="presentation" width="600" align="center"');
  });

  it('never sees the end of a comment inside an address', () => {
    const href = 'https://x.io/--><script>';
    expect(htmlOf([button('x', href)])).not.toContain('--><script>');
    const { html } = rendered(
      design([{ type: 'button', label: 'x', href: [{ text: 'https://x.io/' }, { variable: 'first_name' }] }]),
      {
        to: { email: 'a@x.io', properties: { first_name: '--><b>' } },
      },
    );
    expect(html).not.toContain('--><b>');
  });
});

describe('a theme', () => {
  it('has its colours, font, width and radius in the html', () => {
    const html = htmlOf([text('x'), button('y')], {
      text: '#102030',
      surface: '#fefefe',
      font: 'Verdana',
      width: 480,
      radius: 5,
    });
    for (const part of [
      'color:#102030',
      'background-color:#fefefe',
      'Verdana,Geneva,sans-serif',
      'max-width:480px',
      'border-radius:5px',
    ])
      expect(html).toContain(part);
  });

  it('has readable colours for dark mode computed, where it names none', () => {
    const dark = /@media \(prefers-color-scheme:dark\)\{(.*)\}\n/.exec(htmlOf([]))?.[1] ?? '';
    const colour = (rule: string) =>
      new RegExp(`\\.${rule}\\{(?:background-)?color:(#[0-9a-f]{6})!important\\}`).exec(dark)?.[1] as string;
    expect(contrastOf(colour('r-sf'), '#000000')).toBeLessThan(2);
    for (const ink of ['r-tx', 'r-mu', 'r-ln'])
      expect(contrastOf(colour(ink), colour('r-sf'))).toBeGreaterThanOrEqual(4.5);
  });

  it('is asked for in the very same words with "auto" as without', () => {
    expect(htmlOf([text('x')], { dark: 'auto' })).toBe(htmlOf([text('x')]));
  });

  it('has the dark colours that it names', () => {
    const html = htmlOf([text('x')], { dark: { surface: '#0a0b0c', text: '#fafbfc' } });
    expect(html).toContain('.r-sf{background-color:#0a0b0c!important}');
    expect(html).toContain('.r-tx{color:#fafbfc!important}');
  });

  it('keeps the colour of a span readable in dark mode', () => {
    const html = htmlOf([text(p({ text: 'x', color: '#401020' }))]);
    const [, dark = ''] = /\.r-c0\{color:(#[0-9a-f]{6})!important\}/.exec(html) ?? [];
    const [, surface = ''] = /\.r-sf\{background-color:(#[0-9a-f]{6})!important\}/.exec(html) ?? [];
    expect(contrastOf(dark, surface)).toBeGreaterThanOrEqual(4.5);
  });
});

describe('a block', () => {
  it('heading is a heading of its level', () => {
    expect(htmlOf([heading('One'), heading('Two', 2), heading('Three', 3)])).toMatch(
      /<h1 [^>]*>One<\/h1>.*<h2 [^>]*>Two<\/h2>.*<h3 [^>]*>Three<\/h3>/s,
    );
  });

  it('text has paragraphs, lists of neighbours, styles and links', () => {
    const html = htmlOf([
      {
        type: 'text',
        size: 20,
        align: 'right',
        content: [
          p(
            { text: 'B', bold: true },
            { text: 'I', italic: true },
            { text: 'U', underline: true },
            { text: 'S', strike: true },
          ),
          { type: 'bullet', spans: [{ text: 'one' }] },
          { type: 'bullet', spans: [{ text: 'two' }] },
          { type: 'number', spans: [{ text: 'first' }] },
          p({ text: 'go', href: 'https://x.io' }),
        ],
      },
    ]);
    expect(html).toContain('<strong>B</strong><em>I</em><u>U</u><s>S</s>');
    expect(html.match(/<ul /g)).toHaveLength(1);
    expect(html.match(/<ol /g)).toHaveLength(1);
    expect(html).toMatch(/<a class="r-ln" href="https:\/\/x\.io" [^>]*>go<\/a>/);
    expect(html).toMatch(/align="right" style="[^"]*text-align:right;[^"]*font-size:20px/);
  });

  it('image has its width in percent of the room, and is not blown up', () => {
    const image = (more: object): Block => ({ type: 'image', src: '/f', alt: 'A "b"', ...more });
    const files = { '/f': { url: 'https://r.io/files/f.png', width: 120, height: 80, bytes: 1 } };
    const html = (more: object) => compiled(design([image(more)]), { ...nothingKnown, files }).html;
    expect(html({})).toContain('<img src="https://r.io/files/f.png" alt="A &quot;b&quot;" width="120" ');
    expect(html({ width: 50 })).toContain('width="268"');
    expect(htmlOf([image({ src: 'https://x.io/a.png' })])).toContain('width="536"');
    expect(html({ href: 'https://x.io' })).toMatch(/<a class="r-tx" href="https:\/\/x\.io"[^>]*><img/);
  });

  it('columns that do not stack are a table on every screen', () => {
    const half = (words: string) => ({ width: 50, blocks: [text(words)] });
    const html = htmlOf([{ type: 'columns', stack: false, columns: [half('a'), half('b')] }]);
    expect(html.match(/<td width="50%" valign="top"/g)).toHaveLength(2);
    expect(html).not.toContain('class="r-col"');
  });

  it('divider and spacer have their height', () => {
    expect(htmlOf([{ type: 'spacer', height: 77 }])).toContain('height="77"');
    expect(htmlOf([{ type: 'divider', height: 21 }])).toContain('padding:10px 32px 10px');
    expect(htmlOf([{ type: 'divider', height: 1 }])).toContain('padding:0px 32px 0px');
  });

  it('social names the networks', () => {
    const html = htmlOf([{ type: 'social', links: [{ network: 'github', href: 'https://x.io/g' }] }]);
    expect(html).toMatch(/href="https:\/\/x\.io\/g"[^>]*>GitHub<\/a>/);
  });

  it('html is taken as it is, Liquid too', () => {
    const own = '<center>{% if x %}<b>{{ x | upcase }}</b>{% endif %}</center>';
    expect(htmlOf([{ type: 'html', html: own }])).toContain(own);
  });

  it('saved shows what is in it', () => {
    const { html } = compiled(design([{ type: 'saved', blockId: 'a' }]), {
      ...nothingKnown,
      blocks: { a: [text('From elsewhere')] },
    });
    expect(html).toContain('From elsewhere');
  });

  it('footer always brings the unsubscribe link, and preferences where there is a public topic', () => {
    const withTopics = rendered({ version: 1, blocks: [footer] });
    expect(withTopics.html).toMatch(
      /href="https:\/\/rapport\.test\/t\/u\/1"[^>]*>Unsubscribe<.*href="https:\/\/rapport\.test\/t\/p\/1"/,
    );
    const without = rendered({ version: 1, blocks: [footer] }, { holds: () => false });
    expect(without.html).toContain('https://rapport.test/t/u/1');
    expect(without.html + without.text).not.toContain('/t/p/1');
    expect(seenIn(without.html)).toContain('1 Long Street');
    expect(seenIn(rendered({ version: 1, theme: { lang: 'de-AT' }, blocks: [footer] }).html)).toContain('Abmelden');
  });
});
