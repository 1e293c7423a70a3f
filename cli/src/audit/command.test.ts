import { afterEach, expect, it, vi } from 'vitest';
import { Complaint } from '../complaint.js';
import { type AuditOptions, auditCommand, type VerifiedLog } from './command.js';

async function run(logs: VerifiedLog[], args = ['verify']) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let asked: AuditOptions | undefined;
  const code = await auditCommand(async (_env, told, given) => {
    asked = given;
    logs.forEach(told);
  })({ args, env: {} });
  return { code, asked, told: log.mock.calls.flat(), complained: error.mock.calls.flat() };
}
afterEach(() => {
  vi.restoreAllMocks();
});

const hash = 'ab'.repeat(32);
const fine = { tenantId: 1, entries: 12, lastHash: hash, faults: [] };

it('prints the last hash of each tenant, and ends well where every log is whole', async () => {
  expect(await run([fine, { tenantId: 2, entries: 0, lastHash: null, faults: [] }])).toEqual({
    code: 0,
    asked: {},
    told: [
      `Tenant 1: 12 entries, the last hash is ${hash}, whole`,
      'Tenant 2: 0 entries, whole',
      'Walked: 12 entries of 2 logs. Every log is whole.',
    ],
    complained: [],
  });
});

it('says what is wrong and where, and ends with 1', async () => {
  const { code, told, complained } = await run([fine, { ...fine, tenantId: 2, faults: ['Entry 3 is missing.'] }]);
  expect(code).toBe(1);
  expect(told.at(-1)).toBe(`Tenant 2: 12 entries, the last hash is ${hash}, 1 fault:`);
  expect(complained).toEqual([
    '  Entry 3 is missing.',
    expect.stringMatching(/^Walked: 24 entries of 2 logs\. Faults: 1\. Somebody with access/),
  ]);
});

it('takes a tenant, and a hash that was kept', async () => {
  const third = { ...fine, tenantId: 3 };
  expect((await run([third], ['verify', '--tenant', '3'])).asked).toEqual({ tenantId: 3 });
  const asked = { tenantId: 3, expected: hash };
  expect((await run([third], ['verify', '--tenant', '3', '--expect', hash.toUpperCase()])).asked).toEqual(asked);
});

it('says that there is no such tenant, and does not call its log whole', async () => {
  await expect(run([], ['verify', '--tenant', '7'])).rejects.toThrow(
    'There is no tenant 7. Name another, or leave --tenant out for all.',
  );
});

it('says that there is nothing to walk where nothing was written down yet', async () => {
  const { code, told } = await run([]);
  expect([code, told]).toEqual([0, ['There is no log yet: nothing was written down.']]);
});

it('says how it is called', async () => {
  for (const help of ['--help', '-h'])
    expect((await run([], [help])).told[0]).toContain('Usage: npm run rapport -- audit verify');
  for (const args of [
    ...[[], ['check'], ['verify', 'now'], ['verify', '--all'], ['verify', '--tenant']],
    ...[
      ['verify', '--tenant', '0'],
      ['verify', '--tenant', 'Demo'],
      ['verify', '--expect', hash],
    ],
    ['verify', '--tenant', '1', '--expect', 'ab'],
  ])
    await expect(run([], args), args.join(' ')).rejects.toThrow(Complaint);
});
