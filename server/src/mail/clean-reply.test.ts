import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanReply, secretsOf } from './clean-reply.js';

describe('what a server said', () => {
  it.each([
    ['250 2.0.0 Ok: queued as 4AB', '250 2.0.0 Ok: queued as 4AB'],
    ['550-5.1.1 The account does\r\n550-5.1.1 not exist.\n550 5.1.1  Bye', '550 5.1.1 The account does not exist. Bye'],
    ['550-No\n550 5.1.1 such', '550 No 5.1.1 such'],
    ['250', '250'],
    ['550\tno\u0000\u001b[31m', '550 no [31m'],
    ['550 5.1.1 <ada@example.org>: unknown', '550 5.1.1 <…>: unknown'],
    ['550 "ada b"@example.org; mailto:ada@example.org, ada%40example.org', '550 …; mailto:…, …'],
    ['250 2.6.0 <0190@mail.example> [InternalId=1] Queued', '250 2.6.0 <…> [InternalId=1] Queued'],
    ['450 4.7.1 Unknown user ADA.l (ada.l)', '450 4.7.1 Unknown user … (…)'],
    ['554 5.7.1 Adam was here, see https://x.example/ada', '554 5.7.1 Adam was here, see https://x.example/ada'],
    ['what?', 'what?'],
    ['', ''],
  ])('%j becomes %j', (reply, clean) => expect(cleanReply(reply, { recipient: 'ada.l@example.org' })).toBe(clean));

  it('never contains the password, plain or encoded', () => {
    const auth = { user: 'smtp-user', pass: 'hush-hush' };
    const coded = (text: string) => Buffer.from(text).toString('base64');
    const said = `535 ${auth.user} ${auth.pass} ${coded('\0smtp-user\0hush-hush')} ${coded(auth.pass)} ${coded(auth.user)}`;
    expect(cleanReply(said, { secrets: secretsOf(auth) })).toBe('535 … … … … …');
  });

  it('is always one line of at most 500 characters, without an address', () => {
    const local = fc.stringMatching(/^[a-z][a-z0-9._+-]{2,20}[a-z0-9]$/);
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('\r\n', '550-', '<', '>', '"', ' ', 'x'.repeat(600)),
    );
    const property = fc.property(
      local,
      fc.array(word, { maxLength: 8 }),
      fc.array(word, { maxLength: 8 }),
      (name, before, after) => {
        const address = `${name}@mail.example`;
        const clean = cleanReply(`550 5.1.1 ${before.join('')} ${address} ${after.join('')}`, { recipient: address });
        expect(clean.length).toBeLessThanOrEqual(500);
        expect(clean).not.toMatch(/[\r\n\0]/);
        expect(clean).not.toContain(address);
        expect(clean.startsWith('550 5.1.1')).toBe(true);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });
});
