import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGenuine, parseReturnPath, type ReturnPath, returnPathOf, returnPathsIn } from './return-path.js';

const key = Buffer.alloc(32, 1);
const messageId = '0199a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const tenants = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const ids = fc.stringMatching(/^[0-9a-f]{32}$/);

describe('a return path', () => {
  it('leads back to its message, even if a server changes its case', () => {
    fc.assert(
      fc.property(tenants, ids, (tenantId, id) => {
        const address = returnPathOf(key, tenantId, id, 'bounce.acme.test');
        expect(address.indexOf('@')).toBeLessThanOrEqual(64);
        for (const form of [address, address.toUpperCase()]) {
          const parsed = parseReturnPath(form) as ReturnPath;
          expect(parsed).toMatchObject({ tenantId, messageId: id });
          expect(isGenuine(key, parsed)).toBe(true);
        }
      }),
    );
  });

  it('is genuine for one tenant, one message and one key', () => {
    const parsed = parseReturnPath(returnPathOf(key, 7, messageId, 'x.test')) as ReturnPath;
    expect(isGenuine(key, { ...parsed, tenantId: 8 })).toBe(false);
    expect(isGenuine(key, { ...parsed, messageId: messageId.replace('5b', '5c') })).toBe(false);
    expect(isGenuine(key, { ...parsed, mac: '000000000000' })).toBe(false);
    expect(isGenuine(key, { ...parsed, mac: 'short' })).toBe(false);
    expect(isGenuine(Buffer.alloc(32, 2), parsed)).toBe(false);
  });

  it.each([
    '',
    'ada@example.com',
    `b-7-${messageId}-0123456789ab`,
    `b-07-${messageId}-0123456789ab@x.test`,
    `b-zzzzzzzzzzz-${messageId}-0123456789ab@x.test`,
    `b-7-${messageId}0-0123456789ab@x.test`,
    `b-7-${messageId}-0123456789@x.test`,
    `ab-7-${messageId}-0123456789ab@x.test`,
    `b-7-${messageId}-0123456789ab@x.test@y.test`,
  ])('is not %j', (address) => expect(parseReturnPath(address)).toBeUndefined());

  it('is found in the header of a mail, once', () => {
    const address = returnPathOf(key, 7, messageId, 'bounce.acme.test');
    const header = `Delivered-To: ${address}\nReceived: by x for <${address.toUpperCase()}>;\nTo: <${address}>, a${address}`;
    expect(returnPathsIn(header)).toEqual([expect.objectContaining({ tenantId: 7, messageId })]);
    expect(returnPathsIn('To: ada@example.com')).toEqual([]);
  });
});
