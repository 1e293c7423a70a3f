import { expect, it } from 'vitest';
import { KeptMessages } from './kept.ts';

const [emailId, sentAt] = ['019a8b2c4d5e6f7081920001', '2026-11-15T09:12:00.123Z'];
const message = { state: 'sent' as const, reason: 'outbox', emailId, sentAt };
const event = { eventName: 'sent' as const, emailId, eventDate: sentAt };

it('knows the mail that only lies in the outbox by its email and its moment', () => {
  expect(new KeptMessages([message]).has(event)).toBe(true);
  expect(new KeptMessages([message]).has({ ...event, eventDate: '2026-11-15T09:12:00.124Z' })).toBe(false);
  expect(new KeptMessages([message]).has({ ...event, emailId: '019a8b2c4d5e6f7081920002' })).toBe(false);
});

it('says it of being sent alone, and not of mail that has left', () => {
  expect(new KeptMessages([message]).has({ ...event, eventName: 'opened' })).toBe(false);
  expect(new KeptMessages([{ ...message, reason: null }]).has(event)).toBe(false);
  expect(new KeptMessages([{ ...message, state: 'bounced' }]).has(event)).toBe(false);
  expect(new KeptMessages([]).has(event)).toBe(false);
});
