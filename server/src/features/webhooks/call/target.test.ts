import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anywhere, isPublicAddress } from './address.js';
import { faultOfTarget, readTarget } from './target.js';

const fault = (url: string) => faultOfTarget(url, isPublicAddress);

describe('the address of a webhook', () => {
  it.each([
    'https://example.com/hook',
    'http://example.com:8080/a?b=c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('%s is taken', (url) => expect(fault(url)).toBeUndefined());

  it.each([
    '',
    'example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'https://',
    'javascript:alert(1)',
    'http://a b/',
  ])('%j is none', (url) => expect(fault(url)).toMatch(/starts with http/));

  it.each(['https://ada:secret@example.com/', 'https://ada@example.com/'])('%s has credentials', (url) =>
    expect(fault(url)).toMatch(/user or password/),
  );

  it.each(['http://example.com:25/', 'http://example.com:6667/', 'https://example.com:22/'])(
    '%s is at a port of another protocol',
    (url) => expect(fault(url)).toMatch(/port/),
  );

  it('has at most 2,000 characters', () => {
    const url = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`;
    expect(fault(url(2000))).toBeUndefined();
    expect(fault(url(2001))).toMatch(/2000 characters/);
  });

  const inside = [
    ...['http://127.0.0.1/', 'http://localhost/', 'http://LOCALHOST./', 'http://a.localhost:8080/', 'http://[::1]/'],
    ...['http://10.1.2.3/', 'http://[::ffff:127.0.0.1]/', 'http://169.254.169.254/latest/meta-data', 'http://0/'],
    // Decimal, octal, hex, short, full-width.
    ...['http://2130706433/', 'http://0177.0.0.1/', 'http://0x7f.1/', 'http://0x7f000001/', 'http://127.1/'],
    ...['http://１２７.０.０.１/', 'http://127.0.0.1./'],
  ];
  it.each(inside)('%s leads inside', (url) => expect(fault(url)).toMatch(/WEBHOOK_ALLOW_PRIVATE/));
  it.each(inside)('%s is accepted if the operator allows it', (url) =>
    expect(faultOfTarget(url, anywhere)).toBeUndefined(),
  );

  it('refuses odd spellings of public addresses too', () => {
    expect(fault('http://134744072/')).toMatch(/four decimal numbers/);
    expect(fault('http://0x08.8.8.8/')).toMatch(/four decimal numbers/);
  });

  it('never accepts an IPv4 address in another spelling', () => {
    const spelled = fc.tuple(fc.ipV4(), fc.constantFrom(10, 8, 16)).map(([address, base]) => {
      const parts = address.split('.').map(Number);
      const number = parts.reduce((sum, part) => sum * 256 + part, 0);
      const text = base === 10 ? `${number}` : base === 8 ? `0${number.toString(8)}` : `0x${number.toString(16)}`;
      return `http://${text}/`;
    });
    fc.assert(
      fc.property(spelled, (url) => {
        expect(fault(url)).toBeDefined();
      }),
    );
  });

  it('reads any text or says what is wrong with it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
        if (fault(text) === undefined) expect(readTarget(text, isPublicAddress).host).not.toBe('');
      }),
    );
  });
});
