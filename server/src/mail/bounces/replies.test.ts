import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isThrottle, judgeReply, statusTable } from './replies.js';

const hard = { isHard: true, suppresses: false };
const gone = { isHard: true, suppresses: true };
const soft = { isHard: false, suppresses: false };

describe('a reply', () => {
  it.each([
    // By status
    [550, '5.1.1 <ada@example.com>: Recipient address rejected: User unknown', { ...gone, status: '5.1.1' }],
    [550, '550-5.1.1 The email account that you tried to reach does not exist.', { ...gone, status: '5.1.1' }],
    [550, '550 #5.1.0 Address rejected.', { ...gone, status: '5.1.0' }],
    [550, '5.1.0 Sender address rejected', { ...hard, status: '5.1.0' }],
    [550, '5.1.2 Host unknown', { ...gone, status: '5.1.2' }],
    [553, '5.1.3 The recipient address is not a valid RFC 5321 address', { ...gone, status: '5.1.3' }],
    [550, '5.1.4 Ambiguous', { ...hard, status: '5.1.4' }],
    [551, '5.1.6 Moved', { ...gone, status: '5.1.6' }],
    [553, '5.1.7 Sender address is not valid', { ...hard, status: '5.1.7' }],
    [553, '5.1.8 Domain of sender address does not exist', { ...hard, status: '5.1.8' }],
    [550, '5.1.10 RESOLVER.ADR.RecipientNotFound', { ...gone, status: '5.1.10' }],
    [556, '5.1.10 Recipient address has null MX', { ...gone, status: '5.1.10' }],
    [550, '5.1.20 Something new about the address', { ...gone, status: '5.1.20' }],
    [550, '5.2.1 The email account that you tried to reach is inactive.', { ...gone, status: '5.2.1' }],
    [550, '5.2.1 The user is receiving mail at a rate that prevents delivery', { ...hard, status: '5.2.1' }],
    [552, '5.2.2 Mailbox full', { ...hard, status: '5.2.2' }],
    [552, '5.3.4 Message too big', { ...hard, status: '5.3.4' }],
    [550, '5.4.1 Recipient address rejected: Access denied. AS(201806281)', { ...hard, status: '5.4.1' }],
    [550, '5.4.4 Host not found', { ...hard, status: '5.4.4' }],
    [501, '5.5.4 Invalid argument', { ...hard, status: '5.5.4' }],
    [550, '5.7.1 Service unavailable; client host [192.0.2.1] blocked using Spamhaus', { ...hard, status: '5.7.1' }],
    [550, '5.7.26 Unauthenticated email is not accepted due to DMARC policy', { ...hard, status: '5.7.26' }],
    [550, '5.7.1 User unknown', { ...hard, status: '5.7.1' }],
    // Outlook.com
    [550, '5.5.0 Requested action not taken: mailbox unavailable (S2017062302)', { ...gone, status: '5.5.0' }],
    [550, '5.5.0 Requested action not taken: mailbox unavailable, spam', { ...hard, status: '5.5.0' }],
    // By text alone
    [550, 'User unknown', { ...gone, status: '550' }],
    [550, 'No such user here', { ...gone, status: '550' }],
    [550, 'Recipient not found', { ...gone, status: '550' }],
    [550, "sorry, that recipient doesn't exist", { ...gone, status: '550' }],
    [554, "delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com)", { ...gone, status: '554' }],
    [554, '30 Sorry, your message cannot be delivered. This mailbox is disabled (554.30).', { ...gone, status: '554' }],
    [550, '5.0.0 sorry, no mailbox here by that name', { ...gone, status: '5.0.0' }],
    [550, 'Requested action not taken: mailbox unavailable', { ...hard, status: '550' }],
    [550, 'Administrative prohibition', { ...hard, status: '550' }],
    [550, 'Blocked: unknown user or spam', { ...hard, status: '550' }],
    [550, 'Relaying denied: unknown recipient domain', { ...hard, status: '550' }],
    [550, 'Invalid sender address', { ...hard, status: '550' }],
    [552, 'Account of the recipient is over quota, user unknown', { ...hard, status: '552' }],
    [554, 'Transaction failed', { ...hard, status: '554' }],
    [550, '', { ...hard, status: '550' }],
    // An address of a machine and a version are no status
    [550, 'Host 5.1.1.7 does not like you', { ...hard, status: '550' }],
    [550, 'Server v5.1.1 says no', { ...hard, status: '550' }],
    // For now
    [450, '4.2.1 Mailbox busy', { ...soft, status: '4.2.1' }],
    [450, '5.1.1 User unknown', { ...soft, status: '450' }],
    [421, 'Try again later', { ...soft, status: '421' }],
    // The code decides where the two differ
    [550, '4.1.1 User unknown', { ...gone, status: '550' }],
  ])('%i %s', (code, text, verdict) => {
    expect(judgeReply(code, text)).toEqual(verdict);
  });

  it('that is not for good never suppresses, and one that suppresses is for good', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.string({ maxLength: 3000 }), (code, text) => {
        const { isHard, suppresses, status } = judgeReply(code, text);
        expect(isHard).toBe(code >= 500);
        expect(suppresses && !isHard).toBe(false);
        expect(status).toMatch(/^([45]\d\d|[45]\.\d{1,3}\.\d{1,3})$/);
      }),
    );
  });

  it.each([
    [421, '', true],
    [451, '4.3.0 Try again', true],
    [450, '4.7.1 Greylisted', true],
    [450, '4.2.1 receiving mail too quickly', true],
    [452, '4.5.3 Too many recipients', true],
    [450, '4.2.0 Mailbox busy', false],
    [452, '4.2.2 Mailbox full', false],
    [550, '5.7.1 rate limited', false],
  ])('%i %s asks for fewer messages: %s', (code, text, expected) => {
    expect(isThrottle(code, text)).toBe(expected);
  });
});

describe('the table', () => {
  it('is in the documentation, row by row', () => {
    const docs = readFileSync(new URL('../../../../docs/sending.md', import.meta.url), 'utf8');
    for (const { status, means, suppresses, unless } of statusTable) {
      const answer = `${suppresses ? 'yes' : 'no'}${unless ? ', unless' : ' |'}`;
      expect(docs).toContain(`| \`${status}\` | ${means} | ${answer}`);
    }
  });
});
