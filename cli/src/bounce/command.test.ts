import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { sayTaken, takeOneMail } from '../../../server/src/features/messages/inbound/take-mail.js';
import { readReports } from '../../../server/src/mail/bounces/report.js';
import { exim, messageId, outOfOffice } from '../../../server/test/bounces.js';
import { Complaint } from '../complaint.js';
import { bounceCommand, type TakeBounce } from './command.js';

let stored = 0;
const take: TakeBounce = async (raw) => {
  const taken = await takeOneMail(raw, {
    keyOf: async () => undefined,
    readReports,
    findTenantOf: async (id) => (id === messageId ? 7 : undefined),
    takeNotices: async (_tenantId, notices) => {
      stored += notices.length;
    },
  });
  return { isTaken: taken.isTaken, said: sayTaken(taken) };
};

async function bounce(mail: string | Buffer[], args: string[] = []) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const input = Readable.from(typeof mail === 'string' ? [Buffer.from(mail)] : mail);
  const code = await bounceCommand(take, input)({ args, env: {} });
  return { code, told: log.mock.calls.join(), complained: error.mock.calls.join() };
}
afterEach(() => {
  stored = 0;
  vi.restoreAllMocks();
});

it('takes a bounce, and says which', async () => {
  const { code, told } = await bounce(exim);
  expect(code).toBe(0);
  expect(told).toMatch(new RegExp(`^Taken: message ${messageId} of tenant 7 bounced for good \\(550 `));
  expect(stored).toBeGreaterThan(0);
});

it('says so when the mail is no report', async () => {
  const { code, told, complained } = await bounce(outOfOffice);
  expect([code, told, stored]).toEqual([1, '', 0]);
  expect(complained).toContain('This mail is no report');
});

it('says how it is called', async () => {
  expect((await bounce('', ['--help'])).told).toContain('Usage: npm run rapport -- bounce < mail');
  await expect(bounce(exim, ['mail.eml'])).rejects.toThrow(Complaint);
  await expect(bounce('')).rejects.toThrow('Standard input is empty.');
});

it('reads no mail that never ends', async () => {
  const endless = Array.from({ length: 11 }, () => Buffer.alloc(1024 * 1024, 'x'));
  await expect(bounce(endless)).rejects.toThrow('The mail is larger than 10 MB.');
});
