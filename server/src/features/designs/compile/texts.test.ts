// Texts and variables of designs after rendering: in the html and in the plain text.
import type { Block, ContentSpan, VariableSpan } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { announcement } from '../../../../test/designs/gallery.js';
import { rendered, seenIn } from '../../../../test/designs/render.js';
import { bullet, button, design, footer, heading, numbered, p, text } from '../../../../test/designs/words.js';

type Properties = Record<string, unknown>;

function shown(spans: ContentSpan[], properties: Properties = {}, lang = 'en') {
  const made = rendered(
    { version: 1, theme: { lang }, blocks: [text(p(...spans)), footer] },
    { to: { email: 'a@x.io', properties } },
  );
  const [line = ''] = seenIn(made.html).trimStart().split('\n');
  return { html: line, text: made.text.split('\n\n')[0] };
}
const both = (words: string | undefined) => ({ html: words, text: words });
const variable = (name: string, more: Partial<VariableSpan> = {}): VariableSpan => ({ variable: name, ...more });

describe('text', () => {
  it.each([
    '{{ first_name }}',
    '{% if x %}',
    '{{',
    '{%',
    '}}',
    '{{{ {{{{ {% %} {%- raw -%}',
    '<b>bold</b> & <script>alert(1)</script>',
    '&amp; &lt; &#123;',
    '"quotes" \'and\' `ticks`',
    'C:\\new\\table \\u0041 \\',
    '{{ "a" | upcase }} {% raw %}{{x}}{% endraw %} {% comment %}',
    '<!-- a --> <![endif]-->',
    '👩‍👩‍👧‍👦 עברית العربية 𝕏',
    '{% audience {"all":[]} %}x{% endaudience %}',
  ])('appears as typed: %s', (words) => {
    expect(shown([{ text: words }])).toEqual(both(words));
    expect(shown([{ text: words, bold: true }]).html).toBe(words);
  });

  it('appears as typed across spans', () => {
    expect(shown([{ text: '{' }, { text: '{ a }' }, { text: '}' }])).toEqual(both('{{ a }}'));
    expect(shown([{ text: '{' }, variable('x'), { text: '}' }], { x: 'y' })).toEqual(both('{y}'));
    expect(shown([{ text: '{' }, { text: '% if x %}' }])).toEqual(both('{% if x %}'));
  });

  it('appears as typed in labels, alts, addresses, headings and the postal address', () => {
    const odd = '{{x}} <&> "q"';
    const { html, text: plain } = rendered({
      version: 1,
      blocks: [
        heading(odd),
        button(odd),
        { type: 'image', src: 'https://x.io/a.png', alt: odd },
        { type: 'footer', address: `${odd}\nLine 2` },
      ],
    });
    expect(seenIn(html).split(odd)).toHaveLength(4);
    expect(html).toContain('alt="&#123;&#123;x&#125;&#125; &lt;&amp;&gt; &quot;q&quot;"');
    expect(plain.split(odd)).toHaveLength(5);
    const linked = rendered(design([button('x', 'https://x.io/{{a}}?q=<b>&c="d"')]));
    expect(linked.html).toContain('href="https://x.io/&#123;&#123;a&#125;&#125;?q=&lt;b&gt;&amp;c=&quot;d&quot;"');
    expect(linked.text).toContain('https://x.io/{{a}}?q=<b>&c="d"');
  });

  it('keeps its line breaks and blanks', () => {
    expect(rendered(design([text('a\nb')])).html).toContain('a<br>b');
    expect(rendered(design([text('a   b')])).html).toMatch(/white-space:pre-wrap">a {3}b/);
    const keeps = (...spans: Parameters<typeof p>) => rendered(design([text(p(...spans))])).html.includes('pre-wrap');
    expect([keeps(' a'), keeps('a', '  ', 'b'), keeps('a ', ' b'), keeps('a\n', ' b')]).toEqual(Array(4).fill(true));
    // A blank between two spans is no other than one between two words.
    const bold = { text: 'b', bold: true };
    expect([keeps('a ', bold, ' c'), keeps({ variable: 'x' }, ' c'), keeps(' ')]).toEqual(Array(3).fill(false));
  });
});

describe('a variable', () => {
  it('shows the value of the contact, escaped once', () => {
    expect(shown([variable('first_name')], { first_name: '<b>&amp;"\'{{x}}' })).toEqual(both('<b>&amp;"\'{{x}}'));
    const { html } = rendered(design([text(p(variable('first_name')))]), {
      to: { email: '', properties: { first_name: '<i>&' } },
    });
    expect(html).toContain('&lt;i&gt;&amp;<');
  });

  it.each(['friend', 'a "quoted" \\ one', "it's {{ x }} %}", '}} {% <b>&', 'ä 👋\nline'])(
    'has a default: %s',
    (other) => {
      for (const properties of [{}, { x: null }, { x: '' }])
        expect(shown([variable('x', { default: other.replace('\n', ' ') })], properties)).toEqual(
          both(other.replace('\n', ' ')),
        );
      expect(shown([variable('x', { default: other })], { x: 'value' })).toEqual(both('value'));
      expect(shown([variable('x', { default: other })], { x: false })).toEqual(both('false'));
      expect(shown([variable('x', { default: other })], { x: 0 })).toEqual(both('0'));
    },
  );

  it('is nothing without a value and a default', () => {
    expect(shown([{ text: '[' }, variable('x'), { text: ']' }])).toEqual(both('[]'));
  });

  it.each([
    ['upper', 'straße', 'STRASSE'],
    ['lower', 'ADA', 'ada'],
    ['capitalize', 'ada', 'Ada'],
    ['number', 1234567.5, '1,234,567.5'],
    ['number', '1234567', '1,234,567'],
    ['number', 'many', 'many'],
    ['date', '2026-11-05', 'November 5, 2026'],
    ['date', '2026-11-05T23:30:00Z', 'November 5, 2026'],
    ['date', '2026-11-05T23:30:00-05:00', 'November 6, 2026'],
    ['date', 'soon', 'soon'],
    ['date', '2026-99-99', '2026-99-99'],
  ] as const)('has a format: %s of %s', (format, value, said) => {
    expect(shown([variable('x', { format })], { x: value })).toEqual(both(said));
  });

  it('is formatted in the language of the design', () => {
    expect(shown([variable('x', { format: 'number' })], { x: 1234567.5 }, 'de').html).toBe('1.234.567,5');
    expect(shown([variable('x', { format: 'date' })], { x: '2026-11-05' }, 'de').html).toBe('5. November 2026');
  });

  it('formats its default, too', () => {
    expect(shown([variable('x', { default: 'friend', format: 'upper' })])).toEqual(both('FRIEND'));
  });

  it('reads data and events by a path', () => {
    const words = { data: { order: { 'total sum': 5, items: [{ a: 1 }] } }, event: { name: 'x' } };
    const block = text(p(variable('data.order.total sum'), { text: ' ' }, variable('event.name')));
    expect(seenIn(rendered(design([block]), { words }).html)).toContain('5 x');
  });

  it('in an address is percent-encoded, with %20 for a space', () => {
    const href = [{ text: 'https://x.io/' }, variable('x'), { text: '?q=' }, variable('y', { default: 'a b' })];
    const { html, text: plain } = rendered(
      design([{ type: 'button', label: 'Go', href }, text(p({ text: 'l', href }))]),
      {
        to: { email: '', properties: { x: 'a b/c?d&e=\'"<>é{{z}}' } },
      },
    );
    const encoded = 'https://x.io/a%20b%2Fc%3Fd%26e%3D%27%22%3C%3E%C3%A9%7B%7Bz%7D%7D?q=a%20b';
    expect(html.split(`href="${encoded}"`)).toHaveLength(4);
    expect(plain.split(encoded)).toHaveLength(3);
  });
});

describe('rounds over a list', () => {
  const each = (of: string, ...blocks: Block[]) => design([{ type: 'each', of, blocks }]);
  const item = text(p({ text: '(' }, variable('item'), { text: ')' }));
  const seen = (one: ReturnType<typeof each>, more: object) => {
    const { html, text: plain } = rendered(one, more);
    const words = (all: string) => (all.match(/\([^)]*\)/g) ?? []).join('');
    expect(words(plain)).toBe(words(seenIn(html)));
    return words(plain);
  };

  it('shows each element of data, an event or an array property', () => {
    expect(seen(each('data.list', item), { words: { data: { list: ['a', 'b<'] } } })).toBe('(a)(b<)');
    expect(
      seen(each('event.cart.lines', text(p({ text: '(' }, variable('item.name'), { text: ')' }))), {
        words: { event: { cart: { lines: [{ name: 'x' }, {}] } } },
      }),
    ).toBe('(x)()');
    expect(seen(each('tags', item), { to: { email: '', properties: { tags: ['p', 'q'] } } })).toBe('(p)(q)');
  });

  it('has at most 20 rounds', () => {
    const list = Array.from({ length: 30 }, (_, i) => i);
    expect(seen(each('data.list', item), { words: { data: { list } } })).toBe(
      list
        .slice(0, 20)
        .map((i) => `(${i})`)
        .join(''),
    );
  });

  it.each([
    ['text', 'abc'],
    ['object', { a: 1 }],
    ['number', 5],
    ['nothing', undefined],
    ['empty', []],
    ['true', true],
  ])('has none over what is no array: %s', (_name, list) => {
    expect(seen(each('data.list', item), { words: { data: { list } } })).toBe('');
  });

  it('forgets its element afterwards', () => {
    const one = design([{ type: 'each', of: 'data.list', blocks: [item] }, item]);
    expect(seen(one, { words: { data: { list: ['a'] } }, to: { email: '', properties: { item: 'own' } } })).toBe(
      '(a)(own)',
    );
  });
});

describe('the plain text', () => {
  it('is what a person would write', () => {
    expect(rendered(announcement).text).toBe(`A new way to plan

Plans that make themselves

Hi Ada,

Starting today, every workspace can plan a week in a minute. Here is what is new:

- Drag work between people and see who is free
- Set a goal and let Plans find the way there
- Read the guide (https://example.com/guide) to see how it works

See what is new: https://example.com/go

Also in this release

Faster search

Faster search

Results while you type, even in large workspaces.

Dark mode

Dark mode

Easy on the eyes, on every screen that you use.

LinkedIn: https://example.com/l
X: https://example.com/x
GitHub: https://example.com/g

Example Inc., 1 Long Street, 10115 Berlin
Unsubscribe: https://rapport.test/t/u/1
Email preferences: https://rapport.test/t/p/1
`);
  });

  it('has the address of a link once', () => {
    const own = (...spans: ContentSpan[]) => rendered(design([text(p(...spans))])).text.split('\n')[0];
    expect(own({ text: 'https://x.io', href: 'https://x.io' })).toBe('https://x.io');
    expect(own({ text: 'a@x.io', href: 'mailto:a@x.io' })).toBe('a@x.io');
    expect(
      own({ text: 'our ', href: 'https://x.io' }, { text: 'guide', bold: true, href: 'https://x.io' }, { text: '!' }),
    ).toBe('our guide (https://x.io)!');
  });

  it('numbers its lists, and has no layout', () => {
    const { text: plain } = rendered(
      design([
        text(numbered('a'), numbered('b'), 'x', numbered('c'), bullet('d')),
        { type: 'divider' },
        { type: 'spacer' },
        text('end'),
      ]),
    );
    expect(plain).toMatch(/^1\. a\n2\. b\n\nx\n\n1\. c\n\n- d\n\nend\n\nExample Inc\./);
  });

  it('leaves no gap where a condition does not hold', () => {
    const one = design([text('a'), { type: 'if', filter: { all: [] }, blocks: [text('b')] }, text('c')]);
    expect(rendered(one, { holds: () => false }).text).toMatch(/^a\n\nc\n\n/);
    expect(rendered(one).text).toMatch(/^a\n\nb\n\nc\n\n/);
  });

  it('has the words of an html block, with values as they are', () => {
    const html = '<p>Hello <b>{{ first_name }}</b> &amp; {{ "x" }}</p><a href="https://x.io">link</a>';
    const { text: plain } = rendered(design([{ type: 'html', html }]), {
      to: { email: '', properties: { first_name: '<i>&' } },
    });
    expect(plain).toMatch(/^Hello <i>& & x\n\nlink \[https:\/\/x\.io\]\n/);
  });
});
