import { describe, expect, it } from 'vitest';
import { anywhere, isPublicAddress } from './address.js';
import { addressOfHost, faultOfHost } from './host.js';

describe('a host that a workspace chooses', () => {
  it.each(['smtp.example.com', 'mail.example.com.', '8.8.8.8', '2606:4700::1', 'mx_1.example.com'])(
    'may be %s',
    (host) => expect(faultOfHost(host, isPublicAddress)).toBeUndefined(),
  );

  it.each([
    ...['127.0.0.1', '10.0.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '::1', '::', 'fd00::1', 'fe80::1'],
    ...['::ffff:127.0.0.1', 'localhost', 'LOCALHOST', 'mail.localhost', 'localhost.'],
    ...['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0x7f.1', '127.0.0.1.', '%6c%6fcalhost', 'a b', ''],
  ])('may not be %s', (host) => expect(faultOfHost(host, isPublicAddress)).toEqual(expect.any(String)));

  it('may be anywhere if the operator allows it', () => {
    for (const host of ['127.0.0.1', 'localhost', '2130706433']) expect(faultOfHost(host, anywhere)).toBeUndefined();
  });

  it('is looked up when connecting, and one internal address forbids all', async () => {
    const at = (...addresses: string[]) =>
      addressOfHost(
        'mail.example',
        () => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
        isPublicAddress,
      );
    expect(await at('8.8.8.8', '8.8.4.4')).toBe('8.8.8.8');
    for (const inside of ['127.0.0.1', '10.1.1.1', '::1'])
      await expect(at('8.8.8.8', inside)).rejects.toMatchObject({ code: 'EINSIDE' });
    await expect(at()).rejects.toThrow('does not exist');
    await expect(addressOfHost('127.0.0.1', () => Promise.resolve([]), isPublicAddress)).rejects.toMatchObject({
      code: 'EINSIDE',
    });
  });
});
