import { expect, it } from 'vitest';
import { inScheme, knowsDark } from './look.ts';
import { withColumns, withWidth } from './new-block.ts';
import { nameOf, outlineOf } from './outline.ts';
import { isSameJson } from './same.ts';
import { contentToLabel, labelToContent, lineOf, lineToSpans } from './spans.ts';

it('reads variables in a line, and writes them back', () => {
  const line = 'https://example.com/?n={{first_name | default: "you"}}&p={{data.plan}}#x';
  const spans = lineToSpans(line);
  expect(spans).toEqual([
    { text: 'https://example.com/?n=' },
    { variable: 'first_name', default: 'you' },
    { text: '&p=' },
    { variable: 'data.plan' },
    { text: '#x' },
  ]);
  expect(lineOf(spans)).toBe(line);
});

it('leaves a line without variables a text, braces too', () => {
  for (const line of ['', 'Read more', '{{', '{{ 1 }}', '{% if a %}', '{{a | upcase}}'])
    expect(lineToSpans(line)).toBe(line);
});

it('turns a label into content and back', () => {
  for (const label of ['', 'Go', [{ text: 'Hi ' }, { variable: 'first_name' }]])
    expect(contentToLabel(labelToContent(label))).toEqual(label);
  expect(contentToLabel(labelToContent([{ text: 'Go', bold: true }]))).toEqual([{ text: 'Go', bold: true }]);
});

it('names a block by its kind and what it says', () => {
  expect(nameOf({ type: 'divider' })).toBe('Divider');
  expect(nameOf({ type: 'image', src: 's', alt: 'A  cat' })).toBe('Picture: A cat');
  expect(nameOf({ type: 'button', label: 'x'.repeat(80), href: '' })).toBe(`Button: ${'x'.repeat(60)}…`);
});

it('writes a design as lines that can be compared', () => {
  const said = outlineOf({
    version: 1,
    theme: { button: '#112233' },
    blocks: [
      {
        type: 'columns',
        columns: [
          { width: 50, blocks: [{ type: 'button', label: 'Go', href: 'https://a.example' }] },
          { width: 50, blocks: [] },
        ],
      },
      { type: 'social', links: [{ network: 'x', href: 'https://x.example' }] },
    ],
  });
  expect(said.split('\n')).toEqual([
    '{"button":"#112233"}',
    'Columns',
    '    Button (href https://a.example)',
    '      Go',
    'Social links (https://x.example)',
    '  x',
  ]);
});

it('compares as JSON, whatever the order of keys', () => {
  expect(isSameJson({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true);
  expect(isSameJson({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(isSameJson([1, 2], [2, 1])).toBe(false);
  expect(isSameJson([], {})).toBe(false);
  expect(isSameJson(null, {})).toBe(false);
});

it('shares widths so that they add up to 100', () => {
  expect(withWidth([50, 50], 0, 70)).toEqual([70, 30]);
  expect(withWidth([33.33, 33.33, 33.34], 1, 50)).toEqual([25, 50, 25]);
  expect(withWidth([50, 50], 1, 120)).toEqual([5, 95]);
  for (const width of [5, 33, 61.5])
    expect(withWidth([25, 25, 25, 25], 3, width).reduce((sum, each) => sum + each, 0)).toBeCloseTo(100, 6);
});

it('keeps the blocks of columns that go', () => {
  const blocks = (height: number) => [{ type: 'spacer' as const, height }];
  const three = withColumns(
    [1, 2].map((height) => ({ width: 50, blocks: blocks(height) })),
    3,
  );
  expect(three.map(({ width }) => width)).toEqual([33.33, 33.33, 33.34]);
  expect(withColumns(three, 2)[1]?.blocks).toEqual(blocks(2));
  const narrowed = withColumns(
    [1, 2, 3].map((height) => ({ width: 33, blocks: blocks(height) })),
    2,
  );
  expect(narrowed[1]?.blocks).toEqual([...blocks(2), ...blocks(3)]);
});

it('shows one scheme, however an email asks for it', () => {
  const html =
    '<style>@media screen and ( Prefers-Color-Scheme : dark ){a{}} @media (prefers-color-scheme:light){b{}}</style>';
  expect(inScheme(html, true)).toBe('<style>@media screen and (min-width:0){a{}} @media (max-width:0){b{}}</style>');
  expect([knowsDark(html), knowsDark('<p>dark</p>')]).toEqual([true, false]);
});

it('shows one scheme, whatever the machine prefers', () => {
  const html = '<style>@media (prefers-color-scheme:dark){a{}}</style>';
  expect(inScheme(html, true)).toBe('<style>@media (min-width:0){a{}}</style>');
  expect(inScheme(html, false)).toBe('<style>@media (max-width:0){a{}}</style>');
});
