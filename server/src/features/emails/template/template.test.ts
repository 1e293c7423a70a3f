import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { processorMsOf } from '../../../../test/processor-time.js';
import { type Compiled, compile, problemOf } from './index.js';

const platform = Object.assign(Object.create(null), {
  email: 'ada@example.com',
  unsubscribe_url: 'https://r.test/u',
  view_url: 'https://r.test/v',
});

function template(text: string, kind: 'html' | 'text' = 'html') {
  const compiled = compile(text, kind);
  if (!compiled.ok) throw new Error(compiled.problem.message);
  return compiled.template;
}
const render = (text: string, properties: object = {}, kind: 'html' | 'text' = 'html') =>
  template(text, kind).render(platform, properties as Record<string, unknown>);

function errorOf(effect: () => unknown): unknown {
  try {
    effect();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Quadratic time would take minutes of CPU here. */
const tooLong = 10_000;

describe('a template', () => {
  it('fills in properties, defaults and nothing', () => {
    expect(render('{{first_name}}|{{ first_name }}', { first_name: 'Ada' })).toBe('Ada|Ada');
    expect(render('Hi {{first_name | default: "there"}}')).toBe('Hi there');
    expect(render('Hi {{first_name | default: "there"}}', { first_name: '' })).toBe('Hi there');
    expect(render('Hi {{first_name}}!')).toBe('Hi !');
    expect(render('{{email}} {{unsubscribe_url}} {{view_url}}')).toBe(
      'ada@example.com https://r.test/u https://r.test/v',
    );
  });

  it('escapes html unless the author uses raw, and never escapes a subject', () => {
    const properties = { x: '<b>"A&B"</b>' };
    expect(render('{{x}}', properties)).toBe('&lt;b&gt;&#34;A&amp;B&#34;&lt;/b&gt;');
    expect(render('{{x | raw}}', properties)).toBe('<b>"A&B"</b>');
    expect(render('{{x | upcase}}', properties)).not.toContain('<');
    expect(render('{% capture y %}{{x}}{% endcapture %}{{y | raw}}', properties)).not.toContain('<');
    expect(render('{{x}}', properties, 'text')).toBe('<b>"A&B"</b>');
  });

  it('writes numbers, lists and truth', () => {
    const properties = { seats: 12, tags: ['a', 'b'], yes: true, no: false };
    expect(
      render('{{seats}} {{tags}} {{tags | join: ", "}} {{tags.size}} {{tags[1]}} {{yes}} {{no}}', properties),
    ).toBe('12 ab a, b 2 b true false');
  });

  it('reads own properties only, and the platform’s names before them', () => {
    expect(
      render('{{constructor}}{{toString}}{{first_name.constructor}}{{tags.map}}', { first_name: 'A', tags: [] }),
    ).toBe('');
    expect(render('{{constructor}}', { constructor: 'Ltd' })).toBe('Ltd');
    expect(render('{{unsubscribe_url}}', { unsubscribe_url: 'https://evil.test' })).toBe('https://r.test/u');
  });

  it('renders dates alike on every node', () => {
    expect(render('{{ d | date: "%A, %B %-d, %Y %H:%M" }}', { d: '2026-12-01' })).toBe(
      'Tuesday, December 1, 2026 00:00',
    );
  });

  it('names its variables with line and column, and not its own', () => {
    const text =
      'a\n {{ first_name | default: other }}{% assign x = plan %}{{ x }}\n{% for t in tags %}{{t}}{% endfor %}';
    const variables = template(text).variables();
    expect(variables).toHaveLength(4);
    expect(variables).toEqual(
      expect.arrayContaining([
        { name: 'first_name', shown: 'first_name', line: 2, column: 5 },
        { name: 'other', shown: 'other', line: 2, column: 27 },
        { name: 'plan', shown: 'plan', line: 2, column: 49 },
        { name: 'tags', shown: 'tags', line: 3, column: 13 },
      ]),
    );
  });

  it.each(['include', 'render', 'layout', 'block', 'liquid', 'echo'])('has no tag %s', (tag) => {
    const compiled = compile(`a\n{% ${tag} "/etc/passwd" %}`, 'html') as Extract<Compiled, { ok: false }>;
    expect(compiled.ok).toBe(false);
    expect(compiled.problem).toMatchObject({ line: 2, column: 1 });
  });

  it('has no filter that runs text as code, nests lists or is random', () => {
    for (const filter of [
      'where_exp: "x", "secret"',
      'push: tags',
      'unshift: tags',
      'group_by: "x"',
      'sample',
      'inspect',
    ])
      expect(compile(`{{ tags | ${filter} }}`, 'html').ok, filter).toBe(false);
  });

  it('is parsed once', () => {
    const text = '<p>{{first_name}}</p>';
    expect(compile(text, 'html')).toBe(compile(`${text.slice(0, 3)}${text.slice(3)}`, 'html'));
  });

  it('finds the positions that liquidjs finds', () => {
    const text = 'a{{b}}\n\n{{ c }}\r\n{{d}}';
    const plain = new Liquid().parse(text) as unknown as { token: { input: string; begin: number } }[];
    const slow = ({ input, begin }: { input: string; begin: number }) => {
      const before = input.slice(0, begin).split('\n');
      return [before.length, (before.at(-1) as string).length + 1];
    };
    for (const { token } of plain)
      expect((token as never as { getPosition(): number[] }).getPosition()).toEqual(slow(token));
  });
});

describe('a template that asks for too much', () => {
  const mebibytes = (text: string) => text.repeat(Math.floor((2 * 1024 * 1024) / text.length));

  it.each([
    '{{a}}',
    '{{',
    '{%',
    '{{ a',
    '{% if a %}',
    '{% if a %}x{% endif %}',
    '{{"',
    '{% raw %}',
    '{%comment%}',
    '}}',
    '{',
    '{{a|upcase}}\n',
  ])('is refused or parsed quickly: 2 MiB of %s', (text) => {
    const ms = processorMsOf(() => {
      const compiled = compile(mebibytes(text), 'html');
      if (compiled.ok) compiled.template.variables();
    });
    expect(ms).toBeLessThan(tooLong);
  });

  it.each([
    `{{a${'|upcase'.repeat(25_000)}}}`,
    `{{${'('.repeat(150_000)}}}`,
    `{{a${'[a'.repeat(90_000)}}}`,
    `{{a${'.a'.repeat(90_000)}}}`,
    `{% if a${' and a'.repeat(30_000)} %}{% endif %}`,
    `{% cycle ${'b,'.repeat(90_000)}c %}`,
    `{{a | default:${'b,'.repeat(90_000)}c}}`,
  ])('is refused or parsed quickly: one long token, number %#', (text) => {
    const ms = processorMsOf(() => {
      const compiled = compile(text, 'html');
      if (compiled.ok) compiled.template.variables();
    });
    expect(ms).toBeLessThan(tooLong);
  });

  it.each([
    '{% for i in (1..1000000000) %}x{% endfor %}',
    '{% for i in (1..3000) %}{% for j in (1..3000) %}{% for k in (1..3000) %}{% endfor %}{% endfor %}{% endfor %}',
    '{{ "now" | date: "%999999999d" }}',
    '{% assign x = "aaaaaaaaaa" %}{% for i in (1..40) %}{% capture x %}{{x | raw}}{{x | raw}}{% endcapture %}{% endfor %}{{x}}',
    '{% assign x = "aaaaaaaaaa" %}{% for i in (1..40) %}{% assign x = x | append: x %}{% endfor %}{{x}}',
    '{% capture x %}{% for i in (1..100000) %}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{% endfor %}{% endcapture %}',
  ])('is stopped while rendering: %s', (text) => {
    let error: unknown;
    const ms = processorMsOf(() => {
      error = errorOf(() => render(text));
    });
    expect(problemOf(error).message).toMatch(/limit exceeded|too large/);
    expect(ms).toBeLessThan(tooLong);
  });

  it.each([
    `{{ "${'<'.repeat(150_000)}" | strip_html | raw }}`,
    `{{ "${' '.repeat(150_000)}x" | squish | truncatewords | number_of_words }}`,
    `{{ "${'a'.repeat(150_000)}" | replace: "a", "" | slugify }}`,
  ])('finds no filter that is slow on hostile text, number %#', (text) => {
    expect(processorMsOf(() => render(text))).toBeLessThan(tooLong);
  });

  it('cannot hide tags behind a brace that is not closed', () => {
    for (const tags of [20_000, 230_000])
      for (const end of ['', '}}']) {
        const text = `{% raw %}{{{% endraw %}${'{%break%}'.repeat(tags)}${end}`;
        const compiled = compile(text, 'html') as Extract<Compiled, { ok: false }>;
        expect(compiled.problem?.message).toMatch(/^more than/);
      }
  });

  it('nests too deeply', () => {
    const text = '{% if a %}'.repeat(4000) + '{% endif %}'.repeat(4000);
    const compiled = compile(text, 'html') as Extract<Compiled, { ok: false }>;
    expect(compiled.problem.message).toContain('nested too deeply');
  });
});

describe('any snippets of Liquid', () => {
  const word = fc.constantFrom('a', 'plan', 'tags', '"x"', '1', '(1..3)', 'true', 'nil', 'empty', 'a.b', 'a[0]', '[a]');
  const filter = fc.constantFrom(
    'upcase',
    'default: "x"',
    'raw',
    'size',
    'join: ","',
    'date: "%Y"',
    'plus: 1',
    'slice: 1, 2',
    'no',
  );
  const snippet = fc.oneof(
    fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      '{',
      '}',
      '{{-',
      '-}}',
      '{% endif %}',
      '{% else %}',
      '{% endfor %}',
      '{% raw %}',
      '{% endraw %}',
      '\n',
      '<p>',
    ),
    word.map((w) => `{{ ${w} }}`),
    fc.tuple(word, fc.array(filter, { maxLength: 4 })).map(([w, f]) => `{{ ${[w, ...f].join(' | ')} }}`),
    word.map((w) => `{% if ${w} %}`),
    word.map((w) => `{% for i in ${w} %}{{ i }}{% endfor %}`),
    word.map((w) => `{% assign z = ${w} %}`),
    word.map((w) => `{% case ${w} %}{% when 1 %}x{% endcase %}`),
    fc.string({ maxLength: 5 }),
  );

  it('are a template or a syntax error with a position, and render within their limits', () => {
    fc.assert(
      fc.property(
        fc.array(snippet, { maxLength: 12 }),
        fc.constantFrom('html' as const, 'text' as const),
        (parts, kind) => {
          const compiled = compile(parts.join(''), kind);
          if (!compiled.ok) {
            expect(compiled.problem.line).toBeGreaterThan(0);
            expect(compiled.problem.message).not.toBe('');
            return;
          }
          compiled.template.variables();
          const ms = processorMsOf(() => {
            const error = errorOf(() => compiled.template.render(platform, { plan: 'pro', tags: ['x', 'y'] }));
            if (error) expect(problemOf(error).message).not.toBe('');
          });
          expect(ms).toBeLessThan(tooLong);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
