import { expect, it } from 'vitest';
import { BrowserSession } from './browser-session.ts';

const workspace = { tenantId: 7, name: 'Acme', role: 'admin' };
const person = { name: 'Ada', email: 'ada@example.com' };

const elsewhere = { tenantId: 8, name: 'Other', role: 'member' };

/** Returns each token only when told to: responses may arrive in any order. */
function slowService() {
  const asked: { at: number | undefined; answer: (status?: number) => void }[] = [];
  const session = new BrowserSession(async (url, { body }) => {
    if (url === '/oauth/session') return Response.json({ person, workspace });
    if (url !== '/oauth/session/token') return Response.json({});
    const { tenantId: at } = JSON.parse(String(body)) as { tenantId?: number };
    const status = await new Promise<number>((answer) => asked.push({ at, answer: (code = 200) => answer(code) }));
    if (status !== 200) return new Response(null, { status });
    const place = at === 8 ? elsewhere : workspace;
    const expiresAt = new Date(Date.now() + 900_000).toISOString();
    return Response.json({ token: `of ${place.name}`, expiresAt, person, workspace: place, workspaces: [] });
  });
  const next = () =>
    expect
      .poll(() => asked.length)
      .toBeGreaterThan(0)
      .then(() => asked.shift());
  return { session, next };
}

/** A service that issues tokens 1, 2, 3 … valid for a quarter of an hour. */
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
  expect(await session.token(7)).toBe('t1');
  pass(800_000);
  expect(await session.token(7)).toBe('t1');
  pass(60_000);
  expect(await session.token(7)).toBe('t2');
  expect(asked).toEqual([
    'GET /oauth/session',
    'POST /oauth/session/token {}',
    'POST /oauth/session/token {"tenantId":7}',
  ]);
});

it('asks once for many that want a new one', async () => {
  const { session, asked } = service();
  await session.find();
  expect(await Promise.all([session.renew(7), session.renew(7), session.renew(7)])).toEqual(['t2', 't2', 't2']);
  expect(asked).toHaveLength(3);
});

it('has no token once the session has ended, and reports other failures', async () => {
  const { session, answer } = service();
  await session.find();
  answer(503);
  await expect(session.renew(7)).rejects.toThrow('503');
  answer(401);
  expect(await session.renew(7)).toBeUndefined();
});

it('says who it is without asking for a token', async () => {
  const { session, asked } = service();
  expect(await session.look()).toMatchObject({ person, workspace });
  expect(asked).toEqual(['GET /oauth/session']);
});

it('says how to make the first admin, in the service’s words, until there is one', async () => {
  const lines = ['ADMIN=…', 'curl …'];
  const telling = (said: object) =>
    new BrowserSession(async () => Response.json({ person: null, workspace: null, ...said }));
  expect((await telling({ firstAdmin: lines }).look()).firstAdmin).toEqual(lines);
  expect((await telling({}).look()).firstAdmin).toBeUndefined();
});

it('stays in the workspace that was entered, when a token of the one before comes late', async () => {
  const { session, next } = slowService();
  const found = session.find();
  (await next())?.answer();
  await found;
  const late = session.renew(7);
  const ofThere = await next();
  const entered = session.enter(8);
  (await next())?.answer();
  expect(await entered).toMatchObject({ workspace: elsewhere });
  ofThere?.answer();
  expect(await late).toBe('of Acme');
  expect(await session.token(8)).toBe('of Other');
});

it('finishes what was begun in the previous workspace there', async () => {
  const { session, next } = slowService();
  const found = session.find();
  (await next())?.answer();
  await found;
  const entered = session.enter(8);
  (await next())?.answer();
  await entered;
  expect(await session.token(7)).toBe('of Acme');
  const renewed = session.renew(7);
  expect(await next()).toMatchObject({ at: 7 });
  void renewed.catch(() => undefined);
});

it('distinguishes a service that cannot let anyone in from a session that has ended', async () => {
  const { session, answer } = service();
  await session.find();
  answer(503);
  await expect(session.enter(8)).rejects.toThrow('503');
  expect(await session.token(7)).toBe('t1');
  answer(403);
  await expect(session.enter(8)).rejects.toThrow('403');
  answer(401);
  expect(await session.enter(8)).toBeUndefined();
});

it('does not ask who is signed in while the session is being ended', async () => {
  const asked: string[] = [];
  let isOver = false;
  let end = () => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  const session = new BrowserSession(async (url) => {
    asked.push(url);
    if (url === '/oauth/session') return Response.json({ person: isOver ? null : person, workspace: null });
    await ended;
    isOver = true;
    return new Response(null, { status: 204 });
  });
  const ending = session.end();
  const seen = session.look();
  await new Promise((done) => setImmediate(done));
  expect(asked).toEqual(['/oauth/sign-out']);
  end();
  await ending;
  expect(await seen).toMatchObject({ person: null });
});

it('still knows a person whose session could not be ended', async () => {
  const session = new BrowserSession(async (url) => {
    if (url === '/oauth/session') return Response.json({ person, workspace });
    throw new TypeError('Failed to fetch');
  });
  await expect(session.end()).rejects.toThrow('Failed to fetch');
  expect(await session.look()).toEqual({ person, workspace });
});
