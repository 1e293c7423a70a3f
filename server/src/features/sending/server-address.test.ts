import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../http/api-error.js';
import { addressOf, partsOf, type WantedServer } from './server-address.js';

const faultOf = (wanted: WantedServer, stored?: string) => {
  try {
    addressOf(wanted, stored);
  } catch (error) {
    return (error as ApiError).items[0]?.detail;
  }
  return undefined;
};

describe('the fields of a mail server', () => {
  it.each([
    [{ host: 'smtp.example.com' }, 'smtp://smtp.example.com:587'],
    [{ host: 'SMTP.Example.com', security: 'tls' }, 'smtps://smtp.example.com:465'],
    [{ host: 'smtp.example.com', security: 'starttls', port: 2525 }, 'smtp://smtp.example.com:2525?requireTLS=true'],
    [{ host: 'smtp.example.com', security: 'none', port: 25 }, 'smtp://smtp.example.com:25?ignoreTLS=true'],
    [{ host: '2001:db8::1' }, 'smtp://[2001:db8::1]:587'],
    [{ host: 'post.bücher.example' }, 'smtp://post.xn--bcher-kva.example:587'],
    [
      { host: 'smtp.example.com', user: 'a@b:c', password: 'p/#%? :@' },
      'smtp://a%40b%3Ac:p%2F%23%25%3F%20%3A%40@smtp.example.com:587',
    ],
  ] as [WantedServer, string][])('make an address, and come back from it: %j', (wanted, address) => {
    expect(addressOf(wanted, undefined)).toBe(address);
    const { security = 'auto', port = security === 'tls' ? 465 : 587, user = null } = wanted;
    expect(partsOf(address)).toMatchObject({ security, port, user, hasPassword: wanted.password !== undefined });
  });

  it.each([
    [{}, 'smtpUrl'],
    [{ host: 'a.example', smtpUrl: 'smtp://a.example' }, 'host'],
    [{ host: 'a.example/x' }, 'host'],
    [{ host: 'user@a.example' }, 'host'],
    [{ host: 'a.example:25' }, undefined],
    [{ host: 'a.example', password: 'x' }, 'user'],
    [{ host: 'a.example', user: 'me' }, 'password'],
  ] as [WantedServer, string | undefined][])('are refused where they make none: %j', (wanted, field) => {
    // With a colon it is taken for IPv6: then no address can be made of it, and that is refused with the address.
    expect(faultOf(wanted)).toBe(field);
  });
});

describe('a password that is left out', () => {
  const stored = 'smtp://me:hush@a.example:587?name=out.example&requireTLS=true';

  it('stays while host and user do, together with what only an address can say', () => {
    expect(addressOf({ host: 'a.example', user: 'me', security: 'tls' }, stored)).toBe(
      'smtps://me:hush@a.example:465?name=out.example',
    );
    const same = 'smtp://key:key@a.example:587';
    expect(partsOf(same).user).toBe('***');
    expect(addressOf({ host: 'a.example', user: '***' }, same)).toBe(same);
  });

  it('is not given to another host or user', () => {
    expect(faultOf({ host: 'b.example', user: 'me' }, stored)).toBe('password');
    expect(faultOf({ host: 'a.example', user: 'you' }, stored)).toBe('password');
    expect(faultOf({ host: 'a.example.b.example', user: 'me' }, stored)).toBe('password');
    expect(addressOf({ host: 'b.example' }, stored)).toBe('smtp://b.example:587');
  });
});
