import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../lib/parse-json.js';
import { snakeCase } from '../contacts/index.js';
import { Refused } from './fields.js';
import { type Message, readMessage, type Surroundings } from './read-message.js';

const arrivedAt = '2026-11-15T09:30:00.000Z';
const around: Surroundings = { type: null, context: undefined, sentAt: undefined, arrivedAt };
const read = (message: unknown, more: Partial<Surroundings> = {}): Message =>
  readMessage(message, { ...around, ...more });

function dateOf(message: object, sentAt?: unknown): string {
  const { operation } = read({ type: 'track', userId: 'u', event: 'e', ...message }, { sentAt });
  if (operation instanceof Refused || operation.kind !== 'event') throw new Error('no event');
  return operation.event.eventDate;
}

describe('a key of traits', () => {
  it.each([
    ['firstName', 'first_name'],
    ['Plan Type', 'plan_type'],
    ['plan_type', 'plan_type'],
    ['userID', 'user_id'],
    ['HTTPStatus', 'http_status'],
    ['utm.source', 'utm_source'],
    ['last-seen  at', 'last_seen_at'],
    ['address2', 'address2'],
    [' Name ', 'name'],
  ])('%s becomes %s', (key, snake) => {
    expect(snakeCase(key)).toBe(snake);
  });

  it('in snake_case stays as it is, and converting twice changes nothing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z_][a-z0-9_]{0,20}$/), (key) => {
        expect(snakeCase(key)).toBe(key);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[\w .-]{1,20}$/), (key) => {
        expect(snakeCase(snakeCase(key))).toBe(snakeCase(key));
      }),
    );
  });

  it('can never reach a prototype', () => {
    const { operation } = read(JSON.parse('{"type":"identify","userId":"u","traits":{"__Proto__":{"x":1},"a":1}}'));
    expect(operation).not.toHaveProperty('traits.x');
    expect(Object.getPrototypeOf((operation as unknown as { traits: object }).traits)).toBe(Object.prototype);
  });
});

describe('the time of a message', () => {
  const instant = fc
    .date({ min: new Date('0001-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map((date) => date.toISOString());

  it('is its own without sentAt, and that of arrival without its own', () => {
    fc.assert(
      fc.property(instant, (timestamp) => {
        expect(dateOf({ timestamp })).toBe(timestamp);
        expect(dateOf({ originalTimestamp: timestamp })).toBe(timestamp);
        expect(dateOf({ timestamp, originalTimestamp: '2020-01-01' })).toBe(timestamp);
        expect(dateOf({}, timestamp)).toBe(arrivedAt);
        expect(dateOf({ timestamp: 5 }, timestamp)).toBe(arrivedAt);
        expect(dateOf({ timestamp }, 'soon')).toBe(timestamp);
      }),
    );
  });

  it('is as long before its arrival as it was before it was sent, to the millisecond', () => {
    fc.assert(
      fc.property(instant, instant, (timestamp, sentAt) => {
        const corrected = Date.parse(arrivedAt) - (Date.parse(sentAt) - Date.parse(timestamp));
        const inRange =
          corrected >= Date.parse('0001-01-01T00:00:00Z') && corrected < Date.parse('9999-12-31T24:00:00Z');
        expect(dateOf({ timestamp }, sentAt)).toBe(inRange ? new Date(corrected).toISOString() : timestamp);
      }),
    );
  });

  it('uses its own sentAt before that of the batch', () => {
    const timestamp = '2026-11-15T09:00:00.000Z';
    const sentAt = '2026-11-15T09:00:01.000Z';
    expect(dateOf({ timestamp, sentAt }, '2020-01-01')).toBe('2026-11-15T09:29:59.000Z');
  });
});

describe('a message', () => {
  it('takes what the batch says if it says nothing itself', () => {
    const context = { traits: { email: 'a@x.io' }, groupId: 'g' };
    const { operation } = read({ type: 'track', event: 'e' }, { context });
    expect(operation).toMatchObject({ event: { email: 'a@x.io', orgId: 'g', userId: null } });
    const own = read({ type: 'track', event: 'e', userId: 'u', context: {} }, { context });
    expect(own.operation).toMatchObject({ event: { email: null, orgId: null, userId: 'u' } });
  });

  it('of track ignores an organization with an invalid id', () => {
    for (const groupId of [{}, 'x'.repeat(256), '\0', true]) {
      const { operation } = read({ type: 'track', event: 'e', userId: 'u', context: { groupId } });
      expect(operation).toMatchObject({ event: { orgId: null } });
    }
  });

  it('is what its route says', () => {
    expect(read({ type: 'track', userId: 'u' }, { type: 'identify' }).operation).toMatchObject({ kind: 'identify' });
  });

  it('takes ids as text or numbers, trimmed, of at most 255 characters', () => {
    const userOf = (userId: unknown) => read({ type: 'identify', userId }).userId;
    expect(userOf(' a ')).toBe('a');
    expect(userOf(12)).toBe('12');
    expect(userOf('😀'.repeat(255))).toBe('😀'.repeat(255));
    for (const none of ['', '  ', null, undefined, 'x'.repeat(256), '😀'.repeat(256), 'a\0b', '\ud800', true, [], {}]) {
      const message = read({ type: 'identify', userId: none, traits: {} });
      expect(message.userId).toBeNull();
      expect(message.operation).toBeInstanceOf(Refused);
    }
  });

  it('does not take a number that lost digits as an id: two users would become one', () => {
    const [one, other] = JSON.parse('[12345678901234567890, 12345678901234567891]');
    expect(one).toBe(other);
    expect(read({ type: 'identify', userId: one }).operation).toEqual(new Refused('userId must be a string.'));
    expect(read({ type: 'group', groupId: 2 ** 53 }).operation).toEqual(new Refused('groupId must be a string.'));
    expect(read({ type: 'identify', userId: 2 ** 53 - 1 }).userId).toBe('9007199254740991');
    expect(read({ type: 'track', event: 'e', userId: 'u', context: { groupId: 2 ** 53 } }).operation).toMatchObject({
      event: { orgId: null },
    });
  });

  it('takes a number as its messageId too', () => {
    const idOf = (messageId: unknown) => read({ type: 'track', messageId }).messageId;
    expect([idOf('7'), idOf(7), idOf(0)]).toEqual(['7', '7', '0']);
    for (const none of ['', null, undefined, true, {}, 2 ** 53]) expect(idOf(none)).toBeNull();
  });

  it('treats a blank email as none', () => {
    for (const email of ['', ' \t']) {
      const context = { traits: { email: 'a@x.io' } };
      expect(read({ type: 'identify', traits: { email }, context }).operation).toMatchObject({ email: 'a@x.io' });
      expect(read({ type: 'identify', userId: 'u', traits: { email, n: 1 } }).operation).toEqual({
        kind: 'identify',
        userId: 'u',
        email: null,
        traits: { n: 1 },
      });
      const blank = { userId: 'u', context: { traits: { email } } };
      expect(read({ type: 'track', event: 'e', ...blank }).operation).toMatchObject({ event: { email: null } });
      expect(read({ type: 'group', groupId: 'g', ...blank }).operation).toMatchObject({ email: null });
    }
  });

  it('is read or refused with a reason, whatever it is', () => {
    const type = fc.constantFrom('track', 'identify', 'group', 'page', 'screen', 'alias', 'x', 1);
    const some = fc.oneof(fc.jsonValue(), fc.constantFrom('a@x.io', 'a', '\0', Number.POSITIVE_INFINITY));
    const loose = fc.record(
      {
        type,
        userId: some,
        messageId: some,
        groupId: some,
        event: some,
        name: some,
        timestamp: some,
        sentAt: some,
        properties: fc.oneof(some, fc.dictionary(fc.string(), some)),
        traits: fc.oneof(some, fc.dictionary(fc.string(), some)),
        context: fc.oneof(some, fc.record({ traits: fc.oneof(some, fc.record({ email: some })), groupId: some })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), loose), (raw) => {
        const message = read(raw);
        expect(typeof message.call).toBe('string');
        if (message.operation instanceof Refused) expect(message.operation.message).toMatch(/^\S.*\.$/);
        else expect(['event', 'identify', 'group']).toContain(message.operation.kind);
      }),
      { numRuns: 2000 },
    );
  });

  it('of track keeps its properties as they are', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-zA-Z]\w{0,8}$/), fc.jsonValue({ maxDepth: 2 })),
        (properties) => {
          fc.pre(!/\\u/.test(JSON.stringify(properties)));
          const { operation } = read({ type: 'track', userId: 'u', event: 'e', properties });
          const kept = (operation as { event: { properties: string | null } }).event.properties;
          expect(parseJson(kept ?? '{}')).toEqual(parseJson(JSON.stringify(properties)));
        },
      ),
    );
  });
});
