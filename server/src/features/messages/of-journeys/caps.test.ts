import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideCaps } from './queue-messages.js';

const start = Date.parse('2026-03-01T00:00:00.000Z');
const iso = (minute: number) => new Date(start + minute * 60_000).toISOString();

const message = fc.record({
  contactId: fc.constantFrom('a', 'b'),
  kind: fc.constantFrom('journey' as const, 'journey' as const, 'transactional' as const),
  emailId: fc.constantFrom('live', 'live', 'gone'),
  dueAt: fc.integer({ min: 0, max: 10 }).map(iso),
  cap: fc.option(fc.record({ messages: fc.integer({ min: 1, max: 3 }), perMs: fc.constantFrom(60_000, 300_000) })),
  skipped: fc.constantFrom(null, null, null, 'holdout'),
});

describe('caps', () => {
  it('decide as if each message were requested alone, after those before it', () => {
    const before = fc.dictionary(fc.constantFrom('a', 'b'), fc.array(fc.integer({ min: -10, max: 10 })));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), before, (messages, earlier) => {
        const counted = new Map(
          Object.entries(earlier).map(([id, all]) => [id, all.map((minute) => start + minute * 60_000)]),
        );
        const isLive = (emailId: string) => emailId === 'live';
        const over = decideCaps(messages, counted, isLive);
        // Asked one by one, each with everything sent before it.
        const sent = [...counted].flatMap(([contactId, all]) => all.map((at) => ({ contactId, at })));
        for (const [i, one] of messages.entries()) {
          const at = Date.parse(one.dueAt);
          const mayCount = one.kind === 'journey' && one.skipped === null && isLive(one.emailId);
          const { cap } = one;
          const others = sent.filter((each) => cap && each.contactId === one.contactId && each.at > at - cap.perMs);
          const isOver = mayCount && cap !== null && others.length >= cap.messages;
          expect(over.has(i)).toBe(isOver);
          if (mayCount && !isOver) sent.push({ contactId: one.contactId, at });
        }
      }),
    );
  });
});
