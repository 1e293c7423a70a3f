import { afterEach, expect, it, vi } from 'vitest';
import { Complaint } from '../complaint.js';
import { statsCommand, type Verified } from './command.js';

async function run(verified: Verified[], args = ['verify']) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const code = await statsCommand(async (_env, told) => verified.forEach(told))({ args, env: {} });
  return { code, told: log.mock.calls.flat(), complained: error.mock.calls.flat() };
}
afterEach(() => {
  vi.restoreAllMocks();
});

const fine = { tenantId: 1, name: 'Demo', messages: 12, journeys: 1, differences: [] };

it('says what it compared, and ends well where nothing differs', async () => {
  expect(await run([fine, { ...fine, tenantId: 2, name: 'Acme' }])).toEqual({
    code: 0,
    told: [
      'Tenant 1 (Demo): 12 of messages, 1 of journeys, no difference',
      'Tenant 2 (Acme): 12 of messages, 1 of journeys, no difference',
      'Counted again: 24 figures of messages and 2 figures of journeys, of 2 tenants. There is no difference.',
    ],
    complained: [],
  });
});

it('tells what differs, not more than anybody reads, and ends with 1', async () => {
  const differences = Array.from({ length: 25 }, (_, i) => `difference ${i}`);
  const { code, told, complained } = await run([fine, { ...fine, tenantId: 2, differences }]);
  expect(code).toBe(1);
  expect(told.at(-1)).toBe('Tenant 2 (Demo): 12 of messages, 1 of journeys, 25 differences:');
  expect(complained).toEqual([
    ...differences.slice(0, 20).map((difference) => `  ${difference}`),
    '  … and 5 more',
    expect.stringMatching(/^Counted again: .* Differences: 25\./),
  ]);
});

it('says how it is called', async () => {
  expect((await run([], ['--help'])).told[0]).toContain('Usage: npm run rapport -- stats verify');
  for (const args of [[], ['check'], ['verify', 'now']]) await expect(run([], args)).rejects.toThrow(Complaint);
});
