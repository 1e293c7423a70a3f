import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../../test/app.js';
import { emailBody, makeEmail } from '../../../../test/emails.js';
import { makeTeam, type Team } from '../../../../test/team.js';
import { sql } from '../../../db/sql.js';
import { insertSendingDomain } from '../../sending/index.js';

const most = 6;
const t = useApp({ emailHistoryLimit: most });
let team: Team;
beforeAll(async () => {
  team = await makeTeam(t);
  await insertSendingDomain(t.db, team.tenantId, 'example.com');
});

const code = (reply: Reply) => [reply.status, reply.body.errors[0]?.errorCode, reply.body.errors[0]?.detail];
const history = async (id: string, query = '') => (await team.viewer.get(`/v2/emails/${id}/history${query}`)).body;
const patch = (id: string, change: object) => team.member.patch(`/v2/emails/${id}`, change);
const restore = (id: string, revision: unknown, headers = {}) =>
  team.member.post(`/v2/emails/${id}/restore`, { revision }, headers);

describe('GET /v2/emails/{id}/history', () => {
  it('shows who saved what and when, newest first, to everyone who may read', async () => {
    const id = await makeEmail(team.program, { name: 'Told', subject: 'One' });
    await patch(id, { subject: 'Two', html: '<p>two</p>' });
    const last = await team.admin.patch(`/v2/emails/${id}`, { fromEmail: { email: 'hello@example.com' }, name: 'New' });
    const { data, pagination } = await history(id);
    expect(pagination.totalElements).toBe(3);
    expect(data).toEqual([
      {
        revision: 3,
        savedAt: last.body.data.updatedAt,
        savedBy: { accountId: team.admin.accountId, name: 'A admin' },
        name: 'New',
        subject: 'Two',
        changed: ['name', 'fromEmail'],
        restoredFrom: null,
        isCurrent: true,
      },
      expect.objectContaining({ revision: 2, name: 'Told', changed: ['subject', 'html'], isCurrent: false }),
      expect.objectContaining({ revision: 1, subject: 'One', changed: [], isCurrent: false }),
    ]);
    expect(data[1].savedBy).toEqual({ accountId: team.member.accountId, name: 'A member' });
    expect(last.headers.etag).toBe('"3"');
    expect(
      (await history(id, '?page_size=1&pageNumber=2')).data.map((row: { revision: number }) => row.revision),
    ).toEqual([2]);
  });

  it('names every field that a save changed', async () => {
    const id = await makeEmail(team.program);
    const folder = await team.member.post('/v2/folders', { name: 'For history' });
    const { directoryId: folderId } = folder.body.data;
    const whole = { ...emailBody(), subject: 'S', html: '<p>h</p>', fromEmail: { email: 'other@example.com' } };
    await patch(id, { ...whole, replyTo: 'answer@example.com', preheader: 'P', folderId });
    const { data } = await history(id);
    expect(data[0].changed).toEqual(['name', 'subject', 'preheader', 'html', 'fromEmail', 'replyTo', 'folderId']);
  });

  it('has no entry for a save that changed nothing', async () => {
    const id = await makeEmail(team.program, { subject: 'S', preheader: 'P', replyTo: 'a@example.com' });
    const before = await team.viewer.get(`/v2/emails/${id}`);
    const { fromEmail, replyTo, html, name } = before.body.data;
    const again = [{ subject: 'S' }, { subject: 'S', preheader: 'P', fromEmail, replyTo, html, name, folderId: null }];
    for (const change of again) {
      const reply = await patch(id, change);
      expect([reply.status, reply.headers.etag]).toEqual([200, '"1"']);
      expect(reply.body.data).toEqual(before.body.data);
    }
    expect((await restore(id, 1)).body.data).toEqual(before.body.data);
    expect((await history(id)).pagination.totalElements).toBe(1);
    const stale = await team.member.patch(`/v2/emails/${id}`, { subject: 'S' }, { 'if-match': '"7"' });
    expect(code(stale)).toEqual([412, 'EDIT_CONFLICT', undefined]);
    expect(code(await patch(id, { subject: 'S', folderId: '0123456789abcdef01234567' }))[0]).toBe(400);
  });

  it('keeps the newest saves and no more', async () => {
    const id = await makeEmail(team.program);
    for (let n = 2; n <= most + 3; n++) await patch(id, { subject: `Subject ${n}` });
    const { data, pagination } = await history(id);
    expect(pagination.totalElements).toBe(most);
    expect([data[0].revision, data.at(-1).revision]).toEqual([most + 3, 4]);
    expect((await team.viewer.get(`/v2/emails/${id}/history/3`)).status).toBe(404);
  });

  it('goes with the email', async () => {
    const id = await makeEmail(team.program);
    await patch(id, { subject: 'Again' });
    await team.member.delete(`/v2/emails/${id}`);
    for (const path of ['history', 'history/1'])
      expect((await team.viewer.get(`/v2/emails/${id}/${path}`)).status).toBe(404);
    expect((await restore(id, 1)).status).toBe(404);
    const left = await t.db.row(sql<{ count: number }>`
      select count(*) from email_revision where tenant_id = ${team.tenantId} and email_id = ${`\\x${id}`}`);
    expect(left?.count).toBe(0);
  });

  it('has what a node of an earlier release saved, after the next save', async () => {
    const id = await makeEmail(team.program, { subject: 'One' });
    await t.db.run(sql`
      update email set subject = 'Two', revision = 2 where tenant_id = ${team.tenantId} and email_id = ${`\\x${id}`}`);
    await patch(id, { subject: 'Three' });
    const { data } = await history(id);
    expect(data.map((row: { subject: string }) => row.subject)).toEqual(['Three', 'Two', 'One']);
  });
});

describe('GET /v2/emails/{id}/history/{revision}', () => {
  it('returns everything that was saved', async () => {
    const id = await makeEmail(team.program, { html: '<p>first</p>', preheader: 'Read on', replyTo: 'a@example.com' });
    const before = (await team.viewer.get(`/v2/emails/${id}`)).body.data;
    await patch(id, { html: '<p>second</p>', preheader: null, replyTo: null });
    const { data } = (await team.viewer.get(`/v2/emails/${id}/history/1`)).body;
    const { name, subject, html, preheader, fromEmail, replyTo } = before;
    expect(data).toMatchObject({ revision: 1, isCurrent: false, name, subject, html, preheader, fromEmail, replyTo });
    const now = (await team.viewer.get(`/v2/emails/${id}/history/2`)).body.data;
    expect(now).toMatchObject({ isCurrent: true, preheader: null, replyTo: 'hello@example.com' });
  });

  it.each(['0', '3', '-1', '1.0', '01', 'x', '2147483648', '99999999999999999999'])(
    'does not find %s',
    async (revision) => {
      const id = await makeEmail(team.program);
      const reply = await team.viewer.get(`/v2/emails/${id}/history/${revision}`);
      expect(code(reply)).toEqual([404, 'NOT_FOUND', undefined]);
    },
  );
});

describe('POST /v2/emails/{id}/restore', () => {
  it('brings a save back as a new one, and leaves the email where it is filed', async () => {
    const first = { name: 'Restored', html: '<p>first</p>', preheader: 'P', replyTo: 'a@example.com' };
    const id = await makeEmail(team.program, first);
    const folder = await team.member.post('/v2/folders', { name: 'For restored' });
    const { directoryId } = folder.body.data;
    await patch(id, { name: 'Other', html: '<p>2</p>', preheader: null, replyTo: null, folderId: directoryId });
    const reply = await restore(id, 1);
    expect([reply.status, reply.headers.etag]).toEqual([200, '"3"']);
    expect(reply.body.data).toMatchObject({ ...first, directoryId });
    expect((await team.viewer.get(`/v2/emails/${id}`)).body.data).toEqual(reply.body.data);
    const [newest] = (await history(id)).data;
    expect(newest).toMatchObject({
      ...{ revision: 3, restoredFrom: 1, isCurrent: true },
      changed: ['name', 'preheader', 'html', 'replyTo'],
    });
  });

  it('is refused if another user changed the email since', async () => {
    const id = await makeEmail(team.program);
    await patch(id, { subject: 'Two' });
    expect(code(await restore(id, 1, { 'if-match': '"1"' }))).toEqual([412, 'EDIT_CONFLICT', undefined]);
    expect((await restore(id, 1, { 'if-match': '"2"' })).status).toBe(200);
  });

  it('makes the checks of creation: a name that another email has now', async () => {
    const id = await makeEmail(team.program, { name: 'Taken later' });
    await patch(id, { name: 'Moved away' });
    await makeEmail(team.program, { name: 'Taken later' });
    expect(code(await restore(id, 1))).toEqual([409, 'TEMPLATE_ALREADY_EXISTS', 'name']);
    expect((await history(id)).pagination.totalElements).toBe(2);
  });

  it('names a missing revision, a whole number or not, and is not for viewers', async () => {
    const id = await makeEmail(team.program);
    for (const revision of [2, 0, 1.5, '1', null, 2_147_483_648])
      expect(code(await restore(id, revision))).toEqual([400, 'VALIDATION_ERROR', 'revision']);
    expect((await team.viewer.post(`/v2/emails/${id}/restore`, { revision: 1 })).status).toBe(403);
  });

  it('repeats the first response for a repeated Idempotency-Key, even if the email is gone', async () => {
    const id = await makeEmail(team.program);
    await patch(id, { subject: 'Two' });
    const key = { 'idempotency-key': 'restore-once' };
    const first = await restore(id, 1, key);
    await team.member.delete(`/v2/emails/${id}`);
    const again = await restore(id, 1, key);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
    expect(again.body.data).toEqual(first.body.data);
  });

  it('restores exactly the earlier content, whatever was saved in between', async () => {
    const text = fc.constantFrom('a', 'b', 'c');
    const change = fc.record(
      {
        subject: text,
        html: text.map((value) => `<p>${value}</p>`),
        preheader: fc.option(text),
        replyTo: fc.option(text.map((value) => `${value}@example.com`)),
      },
      { requiredKeys: ['subject'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: most - 2 }), fc.nat(), async (changes, pick) => {
        const id = await makeEmail(team.program);
        const states = [(await team.viewer.get(`/v2/emails/${id}`)).body.data];
        for (const each of changes) {
          const { body, headers } = await patch(id, each);
          // An edit that changes nothing creates no revision.
          if (headers.etag !== `"${states.length}"`) states.push(body.data);
        }
        const revision = 1 + (pick % states.length);
        const { updatedAt: _a, updatedBy: _b, ...restored } = (await restore(id, revision)).body.data;
        expect(states[revision - 1]).toMatchObject(restored);
      }),
      { numRuns: 15 },
    );
  });
});
