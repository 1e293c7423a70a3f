import { expect, it } from 'vitest';
import { starterHtml } from './starter.ts';

it('greets by first name only where contacts have one', () => {
  expect(starterHtml('x', ['email'])).not.toContain('first_name');
  expect(starterHtml('x', ['email', 'first_name'])).toContain('{{first_name | default: "there"}}');
});

it('takes any name as text, never as HTML or a token', () => {
  const html = starterHtml('<b>{{x}}{% y %}</b>', []);
  expect(html).not.toContain('<b>');
  expect(html.match(/\{\{.*?\}\}/g)).toEqual(['{{unsubscribe_url}}']);
});
