import { expect, it } from 'vitest';
import { withoutPassword } from './without-password.ts';

it('keeps who and where of the address of a mail server', () => {
  expect(withoutPassword('smtps://mailer:hunter2@smtp.example.com:465')).toBe('smtps://mailer@smtp.example.com:465');
  expect(withoutPassword('smtp://mailer@localhost:25')).toBe('smtp://mailer@localhost:25');
});

it.each([
  ['smtp://mailer:hunter2', 'smtp://mailer'],
  ['smtp://mailer:hunter2@', 'smtp://mailer'],
  ['smtp://mailer:hun@ter2', 'smtp://mailer'],
  ['smtp://mailer:hun@ter2@smtp.example.com', 'smtp://mailer@smtp.example.com'],
  ['smtp://mailer:hunter2@smtp.example.com/?password=hunter2', 'smtp://mailer'],
  ['mailer:hunter2', 'mailer'],
  ['smtp:', 'smtp'],
  ['', ''],
])('keeps no part of the password while somebody types: %s', (typed, kept) => {
  expect(withoutPassword(typed)).toBe(kept);
});
