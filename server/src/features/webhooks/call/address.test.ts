import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './address.js';

describe('which addresses may be called', () => {
  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.1', '100.63.255.255', '223.255.255.255'])(
    '%s may',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each(['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888', '64:ff9b::8.8.8.8'])(
    '%s may',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ...[
      '0.0.0.0',
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...[
      '168.63.129.16',
      '192.0.0.192',
      '192.0.2.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
    ],
    ...['240.0.0.1', '255.255.255.255'],
  ])('%s may not', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each([
    ...[
      '::',
      '::1',
      '::127.0.0.1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:0:127.0.0.1',
      'fc00::1',
      'fd00:ec2::254',
    ],
    ...[
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '2001:db8::1',
      '3fff::1',
      '2001::1',
      '2002:7f00:1::',
      '100::1',
    ],
    ...['64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8', '5f00::1'],
  ])('%s may not', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]', '8.8.8.8 '])('%j is no address', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );

  it('allows an IPv4 address through NAT64 exactly when it allows it directly', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(isPublicAddress(address));
        expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
      }),
    );
  });
});
