import { expect, it } from 'vitest';
import { BrowserSession } from './browser-session.ts';

const workspace = { tenantId: 7, name: 'Acme', role: 'admin' };
const person = { name: 'Ada', email: 'ada@example.com' };

/** A service that gives out tokens 1, 2, 3 … of a quarter of an hour. */
function service() {
  const asked: string[] = [];
  let tokens = 0;
  let now = 0;
  let status = 200;
  const session = new BrowserSession(
    async (url, { method, body }) => {
      asked.push(`${method} ${url}${body ? ` ${body}` : ''}`);
      if (url === '/oauth/session') return Response.json({ person, workspace, workspaces: [workspace] });
      if (status !== 200) return new Response(null, { status });
      if (url === '/oauth/session/workspace') return Response.json({});
      const expiresAt = new Date(now + 900_000).toISOString();
      return Response.json({ token: `t${++tokens}`, expiresAt, person, workspace, workspaces: [workspace] });
    },
    () => now,
  );
  return { session, asked, pass: (ms: number) => (now += ms), answer: (next: number) => (status = next) };
}

it('finds who is signed in, and uses a token until shortly before its end', async () => {
  const { session, asked, pass } = service();
  expect(await session.find()).toMatchObject({ person, workspace });
  expect(await session.token()).toBe('t1');
  pass(800_000);
  expect(await session.token()).toBe('t1');
  pass(60_000);
  expect(await session.token()).toBe('t2');
  expect(asked).toEqual([
    'GET /oauth/session',
    'POST /oauth/session/token {}',
    'POST /oauth/session/token {"tenantId":7}',
  ]);
});

it('asks once for many that want a new one', async () => {
  const { session, asked } = service();
  await session.find();
  expect(await Promise.all([session.renew(), session.renew(), session.renew()])).toEqual(['t2', 't2', 't2']);
  expect(asked).toHaveLength(3);
});

it('has no token once the session has ended, and says so otherwise', async () => {
  const { session, answer } = service();
  await session.find();
  answer(503);
  await expect(session.renew()).rejects.toThrow('503');
  answer(401);
  expect(await session.renew()).toBeUndefined();
});

it('says who it is without asking for a token', async () => {
  const { session, asked } = service();
  expect(await session.look()).toEqual({ person, workspace });
  expect(asked).toEqual(['GET /oauth/session']);
});
