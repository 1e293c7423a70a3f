import type { Block, DesignProblem, DesignTheme } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { gallery } from '../../../../test/designs/gallery.js';
import { compiled, nothingKnown } from '../../../../test/designs/render.js';
import { button, design, heading, p, text } from '../../../../test/designs/words.js';
import { type Known, unknownVariable } from '../index.js';

function problemsOf(blocks: Block[], theme?: DesignTheme, known: Partial<Known> = {}): DesignProblem[] {
  return compiled(design(blocks, theme), { ...nothingKnown, ...known }).problems;
}
const said = (problems: readonly DesignProblem[]) =>
  problems.map(({ severity, place, message }) => `${severity} ${place}: ${message}`);
const link = (href: string) => text(p({ text: 'a link', href }));

describe('a design that is all right', () => {
  it('has no problems', () => {
    for (const [name, one] of Object.entries(gallery)) expect(said(compiled(one).problems), name).toEqual([]);
  });
});

describe('the unsubscribe link', () => {
  const without = (...blocks: Block[]) => compiled({ version: 1, blocks }).problems;

  it('is missed where there is neither a footer nor the variable in an html block', () => {
    expect(without(text('Hello'))).toEqual([
      { severity: 'error', place: 'design.blocks', message: expect.stringMatching(/no unsubscribe link/) },
    ]);
    expect(without({ type: 'html', html: '{% raw %}{{unsubscribe_url}}{% endraw %}' })).toHaveLength(1);
  });

  it('is found in an html block, and in a footer anywhere', () => {
    expect(without({ type: 'html', html: '<a href="{{ unsubscribe_url }}">Leave</a>' })).toEqual([]);
    expect(without({ type: 'if', filter: { all: [] }, blocks: [{ type: 'footer', address: 'x' }] })).toEqual([]);
  });
});

describe('a link', () => {
  it.each(['https://x.io', 'HTTP://X.io/a b', 'mailto:a@x.io', 'tel:+49301234'])('may be %s', (href) => {
    expect(problemsOf([link(href), button('x', href)])).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'ftp://x.io',
    '//x.io',
    '/x',
    'x.io',
    '',
    'https://',
    'mailto:',
    'file:///etc',
  ])('must not be %j, and is not written', (href) => {
    const both = compiled(
      design([
        link(href),
        button('x', href),
        { type: 'image', src: 'https://x.io/a.png', alt: '', href },
        { type: 'social', links: [{ network: 'x', href }] },
      ]),
    );
    expect(both.problems.map(({ severity, place }) => `${severity} ${place}`)).toEqual([
      'error design.blocks[0].content[0].spans[0].href',
      'error design.blocks[1].href',
      'error design.blocks[2].href',
      'error design.blocks[3].links[0].href',
    ]);
    expect(both.html.match(/href="/g)).toHaveLength(2);
  });

  it('must not begin with a variable', () => {
    const href = [{ variable: 'email' }, { text: '/x' }];
    expect(problemsOf([{ type: 'button', label: 'x', href }])).toMatchObject([
      { severity: 'error', place: 'design.blocks[0].href' },
    ]);
    expect(problemsOf([{ type: 'button', label: 'x', href: [{ text: '' }, ...href] }])).toHaveLength(1);
    expect(problemsOf([{ type: 'button', label: 'x', href: [{ text: 'https://x.io/' }, ...href] }])).toEqual([]);
  });
});

describe('a picture', () => {
  const image = (src: string): Block => ({ type: 'image', src, alt: '' });
  const file = { url: 'https://r.io/files/a.png', width: 600, height: 400, bytes: 5000 };

  it('is at an https address, or a file', () => {
    expect(problemsOf([image('https://x.io/a.png')])).toEqual([]);
    expect(problemsOf([image('/files/a.png')], undefined, { files: { '/files/a.png': file } })).toEqual([]);
    for (const src of ['http://x.io/a.png', 'data:image/png;base64,xx', '/files/a.png', 'javascript:x'])
      expect(problemsOf([image(src)])).toMatchObject([{ severity: 'error', place: 'design.blocks[0].src' }]);
  });

  it('is an error where its file is gone, in an html block too', () => {
    const files = { 'https://r.io/files/a.png': null };
    const html = '<img src="https://r.io/files/a.png" alt="">';
    expect(problemsOf([image('https://r.io/files/a.png'), { type: 'html', html }], undefined, { files })).toMatchObject(
      [
        { severity: 'error', place: 'design.blocks[0].src' },
        { severity: 'error', place: 'design.blocks[1].html' },
      ],
    );
  });

  it('is a warning above 2,000 pixels or 1 MB', () => {
    const sized = (more: object) => problemsOf([image('/f')], undefined, { files: { '/f': { ...file, ...more } } });
    expect(sized({ width: 2000, bytes: 1_000_000 })).toEqual([]);
    expect(sized({ width: 2001 })).toMatchObject([
      { severity: 'warning', place: 'design.blocks[0].src', message: expect.stringContaining('2001') },
    ]);
    expect(sized({ bytes: 1_000_001 })).toMatchObject([{ severity: 'warning', place: 'design.blocks[0].src' }]);
  });

  it('is a warning where a big mail client does not show its kind', () => {
    expect(said(problemsOf([image('https://x.io/a.webp')]))).toEqual([
      'warning design.blocks[0].src: Outlook on Windows does not show pictures of the kind webp',
    ]);
  });
});

describe('a saved block', () => {
  const saved = (blockId: string): Block => ({ type: 'saved', blockId });

  it('is an error where it is gone', () => {
    expect(problemsOf([saved('a')])).toMatchObject([{ severity: 'error', place: 'design.blocks[0].blockId' }]);
    expect(problemsOf([saved('a')], undefined, { blocks: { a: null } })).toHaveLength(1);
    expect(problemsOf([saved('toString')])).toHaveLength(1);
  });

  it('is an error where it contains itself, or is gone further in, at the place that names it', () => {
    const blocks = { a: [text('x'), saved('b')], b: [saved('a')], c: [saved('d')] };
    expect(problemsOf([text('y'), saved('a'), saved('c')], undefined, { blocks })).toMatchObject([
      { severity: 'error', place: 'design.blocks[1]', message: expect.stringMatching(/contains itself/) },
      { severity: 'error', place: 'design.blocks[2]' },
    ]);
  });

  it('has its problems told at the place that names it', () => {
    const blocks = { a: [link('ftp://x.io')] };
    expect(problemsOf([saved('a')], undefined, { blocks })).toMatchObject([
      { severity: 'error', place: 'design.blocks[0]' },
    ]);
  });

  it('brings no columns into columns, and no thousands of blocks', () => {
    const half = (blocks: Block[]) => ({ width: 50, blocks });
    const columns: Block = { type: 'columns', columns: [half([saved('a')]), half([])] };
    expect(problemsOf([columns], undefined, { blocks: { a: [columns] } })).toMatchObject([{ severity: 'error' }]);
    const many = (id: string) => Array.from({ length: 100 }, () => saved(id));
    const blocks = { a: many('b'), b: many('c'), c: many('d'), d: [text('x')] };
    expect(said(problemsOf([saved('a')], undefined, { blocks }))[0]).toBe(
      'error design.blocks[0]: saved blocks bring more than 2,000 blocks',
    );
  });
});

describe('a variable', () => {
  it('is told with its place, wherever it stands', () => {
    const { variables } = compiled(
      design([
        heading({ variable: 'company' }),
        { type: 'button', label: [{ variable: 'plan' }], href: [{ text: 'https://x.io/' }, { variable: 'data.id' }] },
        {
          type: 'each',
          of: 'tags',
          blocks: [text(p({ variable: 'item' }, { variable: 'item.x' }, { variable: 'first_name' }))],
        },
        { type: 'html', html: '{{ city }} {% for x in rows %}{{ x }}{% endfor %}' },
        text(p({ variable: 'item' })),
      ]),
    );
    expect(variables.map(({ shown, place }) => `${shown} ${place.replace('design.', '')}`)).toEqual([
      'company blocks[0].content[0].spans[0].variable',
      'plan blocks[1].label[0].variable',
      'data.id blocks[1].href',
      'tags blocks[2].of',
      'first_name blocks[2].blocks[0].content[0].spans[2].variable',
      'city blocks[3].html',
      'rows blocks[3].html',
      'item blocks[4].content[0].spans[0].variable',
    ]);
    expect(variables.find(({ shown }) => shown === 'data.id')?.name).toBe('data');
    expect(unknownVariable(variables[2] as Parameters<typeof unknownVariable>[0])).toMatchObject({
      severity: 'error',
      place: 'design.blocks[1].href',
      message: expect.stringContaining('{{data.id}}'),
    });
  });
});

describe('contrast', () => {
  it('below 4.5 is a warning for text, links and buttons, where they are drawn', () => {
    const theme = { text: '#999999', link: '#aaaaaa', button: '#cccccc', buttonText: '#ffffff', dark: {} };
    const light = (blocks: Block[]) => problemsOf(blocks, theme).filter(({ place }) => !place.includes('dark'));
    expect(light([text('x')])).toMatchObject([
      { severity: 'warning', place: 'design.theme.text', message: expect.stringContaining('2.8') },
    ]);
    expect(light([link('https://x.io'), button('x')]).map(({ place }) => place)).toEqual([
      'design.theme.text',
      'design.theme.link',
      'design.theme.buttonText',
    ]);
  });

  it('of exactly 4.5 or more is none', () => {
    expect(problemsOf([text('x')], { text: '#767676' })).toEqual([]);
    expect(problemsOf([text('x')], { text: '#777777' })).toHaveLength(1);
  });

  it('is looked at for the colour of a span, on what it is drawn on', () => {
    const span = { text: 'x', color: '#eeeeee' };
    expect(problemsOf([text(p(span))])).toMatchObject([{ place: 'design.blocks[0].content[0].spans[0].color' }]);
    expect(problemsOf([{ type: 'button', label: [span], href: 'https://x.io' }])).toEqual([]);
    expect(
      problemsOf([{ type: 'button', label: [{ text: 'x', color: '#2456d0' }], href: 'https://x.io' }]),
    ).toHaveLength(1);
  });

  it('is looked at in dark mode', () => {
    expect(problemsOf([text('x')], { dark: { surface: '#333333', text: '#444444' } })).toMatchObject([
      { severity: 'warning', place: 'design.theme.dark.text', message: expect.stringContaining('in dark mode') },
    ]);
  });
});

describe('an html block', () => {
  const html = (content: string) =>
    said(problemsOf([{ type: 'html', html: content }])).map((one) => one.replace('design.blocks[0].html: ', ''));

  it('is a warning for a script, and for a picture without alt', () => {
    expect(html('<script>x</script>')).toEqual(['warning mail clients remove scripts']);
    expect(html('<a href="https://x.io" onclick="x()">x</a>')).toEqual(['warning mail clients remove scripts']);
    expect(html('<img src="https://x.io/a.png">')).toEqual(['warning a picture has no alt']);
    expect(html('<img title="alt" src="https://x.io/a.png">')).toHaveLength(1);
    expect(html('<img alt src="https://x.io/a.png"><img src="https://x.io/a.png" alt="">')).toEqual([]);
    expect(html('<!-- <img> <script></script> -->')).toEqual([]);
  });

  it('is a warning for what a big mail client does not show', () => {
    expect(html('<video src="x"></video>')).toEqual([
      'warning Gmail does not show <video>',
      'warning Outlook on Windows does not show <video>',
      'warning Outlook.com does not show <video>',
    ]);
    expect(html('<div style="display: flex; color: red">x</div>')).toEqual([
      'warning Outlook on Windows does not show display:flex',
    ]);
    expect(html('<style>.a{position:absolute}</style>')).toContain('warning Gmail does not show position');
  });

  it('is an error where its Liquid cannot be read', () => {
    expect(html('{% if x %}')).toMatchObject([expect.stringMatching(/^error is not a valid template: .*not closed/)]);
  });

  it('of hostile text is checked in linear time', () => {
    for (const part of ['<a ', '<!--', '<style', '<a "', "<img '", '{', '<a style="'])
      problemsOf([{ type: 'html', html: part.repeat(50_000) }]);
  });
});

describe('a large email', () => {
  it('is a warning above 102 × 1,024 bytes, with its size', () => {
    const filled = (letters: number) => compiled(design([text('x'.repeat(letters))]));
    const empty = filled(0).size;
    expect(filled(102 * 1024 - empty + '&nbsp;'.length).problems).toEqual([]);
    const over = filled(102 * 1024 - empty + '&nbsp;'.length + 1);
    expect(over.size).toBe(104_449);
    expect(said(over.problems)).toEqual([expect.stringMatching(/^warning design: .*104449 bytes/)]);
  });
});
