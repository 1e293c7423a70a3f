import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from './index.js';

function render(text: string, properties: object): string {
  const compiled = compile(text, 'json');
  if (!compiled.ok) throw new Error(compiled.problem.message);
  const platform = Object.assign(Object.create(null), { email: 'ada@example.com' });
  return compiled.template.render(platform, properties as Record<string, unknown>);
}
const read = (text: string, properties: object) => JSON.parse(render(text, properties));

describe('in a template that makes JSON', () => {
  it('nothing breaks out of the quotes around it', () => {
    const template = '{"name":"{{first_name}}","role":"{{ role | append: suffix }}!"}';
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (first_name, role) => {
        expect(read(template, { first_name, role, suffix: '"' })).toEqual({ name: first_name, role: `${role}"!` });
      }),
    );
    const evil = '","admin":true,"x":"';
    expect(read(template, { first_name: evil })).toEqual({ name: evil, role: '!' });
    expect(read('{"a":"\\\\{{x}}","b":"\\"{{x}}"}', { x: '"\\' })).toEqual({ a: '\\"\\', b: '""\\' });
  });

  it('nothing outside quotes adds to what is around it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const made = read('{"before":1,"made":{{value}},"after":2}', { value });
        expect(Object.keys(made)).toEqual(['before', 'made', 'after']);
        if (typeof value !== 'string') expect(made.made).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(read('{"a":{{x}}}', { x: '1,"admin":true' })).toEqual({ a: '1,"admin":true' });
    expect(read('{"a":{{x}},"b":{{y}},"c":{{none}}}', { x: '12', y: 3.5 })).toEqual({ a: 12, b: 3.5, c: null });
  });

  it('json is unchanged, and raw writes the value as it is', () => {
    const x = { deep: ['"', 1] };
    expect(read('{"a":{{x | json}}}', { x })).toEqual({ a: x });
    expect(render('{"a":{{x | raw}}}', { x: '[1,2]' })).toBe('{"a":[1,2]}');
    expect(render('{"a":"{{x | raw}}"}', { x: '"' })).toBe('{"a":"""}');
  });

  it('captured text and loop output are escaped once', () => {
    expect(read('{% capture c %}{{x}} & {{x}}{% endcapture %}{"a":"{{c}}"}', { x: '"' })).toEqual({ a: '" & "' });
    const list = '[{% for each in all %}"{{each}}"{% unless forloop.last %},{% endunless %}{% endfor %}]';
    expect(read(list, { all: ['a"', '\\', 'é\n'] })).toEqual(['a"', '\\', 'é\n']);
    expect(read('{"a":"{% cycle x, x %}"}', { x: '"' })).toEqual({ a: '"' });
  });
});
