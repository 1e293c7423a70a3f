import { expect, it } from 'vitest';
import { setup } from '../../texts/settings-sending.ts';
import { type SendingWarning, sayWarning } from './say-warning.ts';

// The contract's warnings: each has a text, or this does not compile.
const codes = Object.keys(setup.warnings);
const warning = (code: string, domain: string | null = null) =>
  ({ code, domain, message: 'As the service says it.' }) as SendingWarning;

it('says every warning of the service in words of its own', () => {
  const said = codes.map((code) => sayWarning(warning(code, 'example.com')));
  expect(new Set(said).size).toBe(codes.length);
  expect(said).not.toContain('As the service says it.');
});

it('says of a missing mail server that emails are kept in the outbox, and names an unverified domain', () => {
  expect(sayWarning(warning('noMailServer'))).toContain('kept in the outbox');
  expect(sayWarning(warning('unverifiedDomain', 'mail.example.com'))).toContain('mail.example.com');
});

it.each(['somethingNew', 'toString'])('leaves %s, which it does not know, in the words of the service', (code) => {
  expect(sayWarning(warning(code))).toBe('As the service says it.');
});
