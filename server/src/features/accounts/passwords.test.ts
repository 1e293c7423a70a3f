import { expect, it } from 'vitest';
import { faultOfPassword, hashPassword, isPassword } from './passwords.js';

it('recognizes a password, and no other', async () => {
  const stored = await hashPassword('correct horse battery staple');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPassword(stored, 'correct horse battery staple')).toBe(true);
  for (const wrong of ['', 'Correct horse battery staple', 'correct horse battery staple ', 'x'.repeat(10_000)])
    expect(await isPassword(stored, wrong)).toBe(false);
});

it('says no for a person without a password, whatever is tried', async () => {
  for (const password of ['', 'a password that nobody has', '\0'])
    for (const none of [null, undefined]) expect(await isPassword(none, password)).toBe(false);
});

it('takes the same password in any Unicode form', async () => {
  const stored = await hashPassword('Ångström über alles');
  expect(await isPassword(stored, 'Ångström über alles'.normalize('NFD'))).toBe(true);
});

it('refuses more work than it can do soon, and goes on afterwards', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 150 }, () => isPassword(null, 'x')));
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(150 - 102);
  expect(String((refused[0] as PromiseRejectedResult).reason)).toContain('too many people sign in at once');
  expect(await isPassword(null, 'x')).toBe(false);
});

it.each([
  ['too short', 'eleven char', 'at least 12'],
  ['too long', 'ab cd ef gh '.repeat(30), 'at most 256'],
  ['of few characters', 'abababababab', 'more different'],
  ['of the own name', 'my name is ADA-lovelace', 'without your name'],
])('says what is wrong with a password that is %s', (_, password, why) => {
  expect(faultOfPassword(password, ['ada-lovelace', 'ada'])).toContain(why);
});

it('takes four words in a row', () => {
  expect(faultOfPassword('correct horse battery staple', ['ada@example.com', 'Ada'])).toBeUndefined();
});
