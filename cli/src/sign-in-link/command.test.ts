import { afterEach, expect, it, vi } from 'vitest';
import { Complaint } from '../complaint.js';
import { type Made, signInLinkCommand } from './command.js';

async function run(args: string[], made?: Made) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const make = vi.fn(async () => made);
  const code = await signInLinkCommand(make)({ args, env: { DATA_DIR: 'here' } });
  return { code, told: log.mock.calls.flat(), said: error.mock.calls.flat(), asked: make.mock.calls[0] as unknown };
}
afterEach(() => {
  vi.restoreAllMocks();
});

const ada: Made = { url: 'http://rapport.test/oauth/link?token=x', name: 'Ada', hasSecondFactor: false };

it('prints the link alone on standard output, so that it can be piped', async () => {
  expect(await run(['ada@example.com'], ada)).toEqual({
    code: 0,
    told: [ada.url],
    said: ['Signs Ada in, once, within 24 hours.'],
    asked: [{ DATA_DIR: 'here' }, { email: 'ada@example.com', endsSecondFactor: false }],
  });
});

it('tells of a second factor, and takes it away only when asked to', async () => {
  const { said } = await run(['ada@example.com'], { ...ada, hasSecondFactor: true });
  expect(said[0]).toContain('asked for a code');
  const { asked } = await run(['--remove-second-factor', 'ada@example.com'], ada);
  expect(asked).toEqual([{ DATA_DIR: 'here' }, { email: 'ada@example.com', endsSecondFactor: true }]);
});

it('says what to do about somebody who is not there', async () => {
  const { code, told, said } = await run(['nobody@example.com']);
  expect([code, told]).toEqual([1, []]);
  expect(said[0]).toContain('Invite a new person first');
});

it('says how it is called', async () => {
  expect((await run(['--help'])).told[0]).toContain('Usage: npm run rapport -- sign-in-link <email>');
  for (const args of [[], ['ada'], ['ada@example.com', 'bob@example.com'], ['--all@']])
    await expect(run(args, ada)).rejects.toThrow(Complaint);
});
