import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMsOf } from '../../../test/processor-time.js';
import { faultOf, findOtherToken, mostVersionBytes, unsubscribeToken } from './check-html.js';

/** The simple definition that the scanner must agree with. */
function reference(html: string): number {
  // As long as the token, so that offsets stay.
  const blank = ' '.repeat(unsubscribeToken.length);
  return html.replaceAll(unsubscribeToken, blank).search(/\{\{[\s\S]*?\}\}/);
}

describe('the token rule of a version', () => {
  it.each([
    '{{unsubscribe_url}}',
    '<a href="{{unsubscribe_url}}">x</a> {{unsubscribe_url}}',
    '{{ unclosed <a href="{{unsubscribe_url}}">',
    '{{unsubscribe_url}} {{ unclosed }',
    '{{{unsubscribe_url}}}',
    '{{unsubscribe_url}}}}',
    '<style>@media x{a{b:c}}</style>{{unsubscribe_url}}',
    '{ {first_name} } {{unsubscribe_url}}',
    '{% if x %}{{unsubscribe_url}}{% endif %}',
  ])('takes %s', (html) => expect(faultOf(html)).toBeUndefined());

  it.each([
    '{{first_name}}',
    '<a title="{{first_name}}">',
    '{{ unsubscribe_url }}',
    '{{UNSUBSCRIBE_URL}}',
    '{{}}',
    '{{{first_name}}}',
    '{{ {{unsubscribe_url}} }}',
    '{{{{unsubscribe_url}}}}',
    '{{first\nname}}',
    '{{a}b}}',
  ])('refuses %s beside the literal one', (html) => {
    expect(faultOf(`${unsubscribeToken}\n${html}`)).toMatch(/no \{\{…\}\} other than .*: see line 2, column \d+/);
  });

  it.each(['', '<p></p>', '{{unsubscribe_url', '{unsubscribe_url}', '&#123;{unsubscribe_url}}'])(
    'refuses html without it: %s',
    (html) => expect(faultOf(html)).toBe('must contain {{unsubscribe_url}}'),
  );

  it('counts bytes in UTF-8: 512,000 are accepted, one more is not', () => {
    const filler = mostVersionBytes - unsubscribeToken.length;
    for (const [char, bytes] of [
      ['a', 1],
      ['ü', 2],
      ['€', 3],
      ['😀', 4],
    ] as const) {
      const whole = char.repeat(Math.floor(filler / bytes));
      const html = unsubscribeToken + whole + 'x'.repeat(filler % bytes);
      expect(Buffer.byteLength(html)).toBe(512_000);
      expect(faultOf(html)).toBeUndefined();
      expect(faultOf(`${html}x`)).toContain('512000 bytes');
    }
  });

  it.each(['{', '}', '{{', '}}', '{{}', '{}', '}}{{', '{{unsubscribe_url}', '{{unsubscribe_url}}'])(
    'is linear in 512,000 bytes of %s',
    (text) => {
      const html = text.repeat(Math.floor(mostVersionBytes / text.length));
      const spent = processorMsOf(() => {
        findOtherToken(html);
        faultOf(html);
      });
      expect(spent).toBeLessThan(500);
    },
  );

  it('agrees with the simple definition', () => {
    const piece = fc.constantFrom('{', '}', '{{', '}}', 'a', '\n', '{{unsubscribe_url}}', 'unsubscribe_url', '{{u');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const html = pieces.join('');
        expect(findOtherToken(html)).toBe(reference(html));
      }),
      { numRuns: 5000 },
    );
  });
});
