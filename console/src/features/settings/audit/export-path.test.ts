import { expect, it } from 'vitest';
import { exportPath } from './export-path.ts';

it('asks for what the filters leave, and for everything without any', () => {
  expect(exportPath({ action: undefined, from: undefined })).toBe('/exports/audit-log');
  expect(exportPath({ action: 'token.created', accountId: '7', from: '2026-11-14T23:00:00.000Z' })).toBe(
    '/exports/audit-log?action=token.created&accountId=7&from=2026-11-14T23%3A00%3A00.000Z',
  );
});
