import { expect, it } from 'vitest';
import { choicesFor, expiryAfter, tokenState } from './token-state.ts';

const now = Date.parse('2026-11-15T09:30:00.000Z');

it('tells a revoked token from one that has expired', () => {
  expect(tokenState({ revokedAt: null, expiresAt: null }, now)).toBe('active');
  expect(tokenState({ revokedAt: null, expiresAt: '2026-11-15T09:30:00.000Z' }, now)).toBe('expired');
  expect(tokenState({ revokedAt: '2026-11-01T00:00:00.000Z', expiresAt: '2026-11-02T00:00:00.000Z' }, now)).toBe(
    'revoked',
  );
});

it('offers no more than the person has', () => {
  expect(choicesFor(['READ', 'WRITE'])).toEqual(['read', 'write', 'ingest']);
  expect(choicesFor(['READ'])).toEqual(['read']);
  expect(choicesFor(['WRITE'])).toEqual(['ingest']);
});

it('counts days from now, or none', () => {
  expect(expiryAfter('30', now)).toBe('2026-12-15T09:30:00.000Z');
  expect(expiryAfter('never', now)).toBeUndefined();
});
