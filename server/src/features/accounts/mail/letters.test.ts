import { describe, expect, it } from 'vitest';
import { htmlOf, type InvitationWords, invitationLetter, resetLetter, textOf } from './letters.js';

const words: InvitationWords = {
  ...{
    workspace: 'Acme',
    inviter: 'Ada Lovelace',
    role: 'member',
    link: 'http://rapport.test/oauth/invitation?token=abc',
  },
  expiresAt: '2026-11-23T09:30:00.000Z',
};

describe('a letter', () => {
  it('says who invites, to which workspace and role, and has the link on a line of its own', () => {
    const letter = invitationLetter(words);
    expect(letter.subject).toBe('Join Acme on Rapport');
    expect(textOf(letter)).toBe(
      [
        'Ada Lovelace invites you to the workspace Acme on Rapport, as a member, with access to everything except workspace settings.',
        'http://rapport.test/oauth/invitation?token=abc',
        'The link works once, until 23 November 2026 (UTC).',
        'If you weren’t expecting this, ignore this email: no one can join without the link.',
        '',
      ]
        .join('\n\n')
        .replace(/\n\n$/, '\n'),
    );
  });

  it('names no inviter if an operator invites', () => {
    expect(textOf(invitationLetter({ ...words, inviter: null }))).toMatch(/^You are invited to the workspace Acme/);
  });

  it.each([
    ['Win at https://evil.example/now', 'Win at https: evil. example/now'],
    ['www.evil.example', 'www. evil. example'],
    ['Booking.com', 'Booking. com'],
    ['call evil@evil.example', 'call evil at evil. example'],
    ['evil。example', 'evil. example'],
    ['evil․example and 10.1.2.3', 'evil. example and 10. 1. 2. 3'],
    ['javascript:alert', 'javascript: alert'],
    ['Acme Inc.', 'Acme Inc.'],
    ['A. B. Smith & Sons', 'A. B. Smith & Sons'],
  ])('has nothing in a name that a mail program makes a link of: %s', (name, shown) => {
    const letter = invitationLetter({ ...words, workspace: name, inviter: name });
    expect(letter.subject).toBe(`Join ${shown} on Rapport`);
    expect(letter.before.join()).toContain(`${shown} invites you to the workspace ${shown} on Rapport`);
  });

  it('keeps names on one line and escaped in HTML', () => {
    const letter = invitationLetter({
      ...words,
      workspace: 'A\r\nBcc: x@y.example\n\nhttp://evil.example',
      inviter: '<b>&"',
    });
    expect(letter.subject).toBe('Join A Bcc: x at y. example http: evil. example on Rapport');
    expect(
      textOf(letter)
        .split('\n')
        .filter((line) => line.startsWith('http')),
    ).toEqual([words.link]);
    expect(htmlOf(letter)).toContain('&lt;b&gt;&amp;&quot; invites you');
    expect(htmlOf(letter)).not.toContain('<b>');
  });

  it('says how long the link of a reset works', () => {
    const letter = resetLetter('http://rapport.test/oauth/reset?token=abc', words.expiresAt);
    expect(textOf(letter)).toContain('\n\nhttp://rapport.test/oauth/reset?token=abc\n\n');
    expect(textOf(letter)).toContain('for one hour');
    expect(htmlOf(letter)).toContain('<a href="http://rapport.test/oauth/reset?token=abc">');
  });
});
