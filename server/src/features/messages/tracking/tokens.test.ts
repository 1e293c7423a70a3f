import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGenuine, LinkMaker, parseToken, type TrackKind, trackPaths } from './tokens.js';

const kinds: TrackKind[] = ['open', 'click', 'unsubscribe', 'view'];
const kind = fc.constantFrom(...kinds);
const tenantId = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.maxSafeNat());
const messageId = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const linkNo = fc.nat({ max: 100_000 });
const url = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: 'grapheme' }));
const key = randomBytes(32);
const base = 'https://mail.example.com';

function linkOf(links: LinkMaker, of: TrackKind, no = 0, to = 'https://example.com/'): string {
  return of === 'click' ? links.click(no, to) : links[of]();
}
function tokenOf(of: TrackKind, link: string): string {
  expect(link.startsWith(base + trackPaths[of])).toBe(true);
  return link.slice(base.length + trackPaths[of].length);
}
/** As the routes call it. */
function isTaken(of: TrackKind, token: string, by = key): boolean {
  const parsed = parseToken(of, token);
  return parsed !== undefined && isGenuine(by, parsed);
}

const made = fc.record({ kind, tenantId, messageId, linkNo, url }).map((fields) => {
  const links = new LinkMaker(`${base}/`, key, fields.tenantId, fields.messageId);
  return { ...fields, token: tokenOf(fields.kind, linkOf(links, fields.kind, fields.linkNo, fields.url)) };
});

describe('a token', () => {
  it('contains what it was made from, and is genuine', () => {
    fc.assert(
      fc.property(made, ({ token, ...fields }) => {
        expect(token).toMatch(/^[\w-]+$/);
        const parsed = parseToken(fields.kind, token);
        expect(parsed).toMatchObject({ tenantId: fields.tenantId, messageId: fields.messageId });
        expect(parsed?.linkNo).toBe(fields.kind === 'click' ? fields.linkNo : undefined);
        expect(parsed?.url).toBe(fields.kind === 'click' ? fields.url : undefined);
        expect(isTaken(fields.kind, token)).toBe(true);
      }),
    );
  });

  it('is short', () => {
    const links = new LinkMaker(base, key, 7, '0190a3c4e5f67890a3c4e5f67890a3c4');
    expect(tokenOf('open', links.open())).toHaveLength(44);
  });

  it('is not a token of another kind', () => {
    fc.assert(
      fc.property(made, kind, (one, other) => {
        fc.pre(one.kind !== other);
        expect(isTaken(other, one.token)).toBe(false);
      }),
    );
  });

  it('is invalid under the key of another tenant', () => {
    fc.assert(fc.property(made, ({ kind, token }) => void expect(isTaken(kind, token, randomBytes(32))).toBe(false)));
  });

  it('is refused with any byte changed, cut off or added', () => {
    const change = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) });
    fc.assert(
      fc.property(made, change, fc.uint8Array({ minLength: 1, maxLength: 20 }), ({ kind, token }, { at, by }, more) => {
        const bytes = Buffer.from(token, 'base64url');
        const changed = Buffer.from(bytes);
        changed[at % bytes.length] = (changed[at % bytes.length] as number) ^ by;
        for (const forged of [changed, bytes.subarray(0, at % bytes.length), Buffer.concat([bytes, more])])
          expect(isTaken(kind, forged.toString('base64url'))).toBe(false);
      }),
    );
  });

  it('has one spelling', () => {
    const padding = fc.constantFrom('=', '==', '\n', ' ', '%3D', '.', '/');
    fc.assert(
      fc.property(made, padding, fc.nat(), ({ kind, token }, extra, at) => {
        const place = at % (token.length + 1);
        expect(isTaken(kind, token.slice(0, place) + extra + token.slice(place))).toBe(false);
      }),
    );
    const bytes = Buffer.from([...randomBytes(16), 0xfb, 0xff, ...randomBytes(20)]);
    expect(parseToken('open', bytes.toString('base64'))).toBeUndefined();
  });

  it('is refused without an error, whatever it is', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    );
    fc.assert(fc.property(kind, anything, (of, token) => void expect(isTaken(of, token)).toBe(false)));
  });

  it('cannot be moved to another message, link or target by combining two', () => {
    fc.assert(
      fc.property(made, made, (one, other) => {
        fc.pre(one.kind === other.kind && one.token !== other.token);
        const [mac, payload] = [Buffer.from(one.token, 'base64url'), Buffer.from(other.token, 'base64url')];
        const mixed = Buffer.concat([mac.subarray(0, 16), payload.subarray(16)]).toString('base64url');
        fc.pre(mixed !== one.token && mixed !== other.token);
        expect(isTaken(one.kind, mixed)).toBe(false);
      }),
    );
  });
});
