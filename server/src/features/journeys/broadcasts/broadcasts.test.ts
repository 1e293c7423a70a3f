// Broadcasts: one email to an audience, through the API, with workers running.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { inAnHour, makeSender, type Sender } from '../../../../test/broadcasts.js';
import { seedContacts } from '../../../../test/dynamic-lists.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { until } from '../../../../test/enrolments.js';
import { makeJourney } from '../../../../test/journeys.js';
import { MailNotSent } from '../../../mail/transport.js';

const t = useApp({
  work: true,
  transport: {
    name: 'smtp',
    send: async ({ to }) => {
      if (to.startsWith('later'))
        throw new MailNotSent('451', { outlook: 'later', stage: 'rcpt', code: 451, reply: '451 later' });
      return { reply: '250 OK' };
    },
    close: () => undefined,
  },
});
let tenant: Sender['tenant'];
let emailId: string;
let listOf: Sender['listOf'];
let create: Sender['create'];
let read: Sender['read'];
let move: Sender['move'];
let ended: Sender['ended'];
beforeAll(async () => {
  ({ tenant, emailId, listOf, create, read, move, ended } = await makeSender(t));
});
let made = 0;

describe('a broadcast', () => {
  it('is a draft that tells whom it reaches, is sent once, and tells what became of it', async () => {
    const [staticListId, ids, emails] = await listOf(4);
    await tenant.put(`/v2/suppressions/${emails[0]}`, { reason: 'unsubscribed' });
    const id = await create({ audience: { staticListId } });
    expect(await read(id)).toMatchObject({
      ...{ broadcastId: id, name: 'News', status: 'draft', emailId, audience: { staticListId }, revision: 1 },
      ...{ when: { kind: 'now' }, total: null, sendsAt: null, startedAt: null, endedAt: null, audienceListId: null },
      createdBy: { id: expect.any(Number), name: expect.any(String) },
    });
    expect((await move(id, 'reach')).body.data).toMatchObject({
      ...{ isExact: true, audience: 4, getsMail: 3 },
      leftOut: [{ reason: 'unsubscribed', count: 1 }],
    });
    // A double click, and another after it.
    const both = await Promise.all([move(id, 'send'), move(id, 'send')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const done = await ended(id);
    expect(done).toMatchObject({ total: 4, startedAt: expect.any(String), endedAt: expect.any(String) });
    expect(done.progress).toMatchObject({
      ...{ waiting: 0, sent: 3, kept: 0, failed: 0, skipped: 1, notReached: 0 },
      skippedBy: [{ reason: 'unsubscribed', count: 1 }],
    });
    expect((await move(id, 'send')).body.data.status).toBe('sent');
    const { body } = await tenant.get(`/v2/messages?journeyId=${id}`);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(Array(4).fill('broadcast'));
    const { data: why } = (await tenant.get(`/v2/why?contactId=${ids[1]}&emailId=${emailId}`)).body;
    expect(why.sentence).toContain('the broadcast “News” sent it');
  });

  it('goes to whom a filter finds when it begins, by a list of its own', async () => {
    const [, , emails] = await listOf(2, { edition: 'filter' });
    const id = await create({ audience: { filter: { property: 'edition', is: 'nothing' } } });
    const { audienceListId, audience } = await read(id);
    expect(audience).toEqual({ filter: { property: 'edition', is: 'nothing' } });
    const { body } = await tenant.patch(`/v2/broadcasts/${id}`, {
      audience: { filter: { property: 'edition', is: 'filter' } },
    });
    expect(body.data.audienceListId).toBe(audienceListId);
    await until(
      async () => (await move(id, 'reach')).body.data,
      ({ isExact, audience }) => isExact && audience === 2,
    );
    await move(id, 'send');
    expect((await ended(id)).progress.sent).toBe(emails.length);
  });

  it('waits while it is paused, goes on when it is resumed, and takes each a second time', async () => {
    const [staticListId] = await listOf(3);
    const id = await create({ audience: { staticListId }, when: { kind: 'at', at: inAnHour() } });
    const { body: sent } = await move(id, 'send');
    expect(sent.data).toMatchObject({ status: 'scheduled', sendsAt: expect.any(String) });
    for (const time of [1, 2]) expect([time, (await move(id, 'pause')).body.data.status]).toEqual([time, 'paused']);
    const changed = await tenant.patch(`/v2/broadcasts/${id}`, { when: { kind: 'now' } });
    expect(changed.body.data).toMatchObject({ status: 'paused', when: { kind: 'now' } });
    for (const time of [1, 2]) expect([time, (await move(id, 'resume')).status]).toEqual([time, 200]);
    expect((await ended(id)).progress.sent).toBe(3);
    expect((await move(id, 'pause')).body.errors[0].message).toContain('It was already sent');
  });

  it('can be paused, resumed and cancelled while messages wait, though everybody is through the journey', async () => {
    const [staticListId] = await listOf(1);
    const ids = await seedContacts(t, tenant, [{ email: `later${++made}@x.io` }, { email: `later${++made}@x.io` }]);
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: ids });
    const id = await create({ audience: { staticListId } });
    await move(id, 'send');
    const isTried = ({ progress }: { progress: { sent: number } }) => progress.sent === 1;
    expect(await until(() => read(id), isTried)).toMatchObject({ status: 'sending', progress: { waiting: 2 } });
    expect((await move(id, 'pause')).body.data).toMatchObject({ status: 'paused', progress: { waiting: 2 } });
    expect((await move(id, 'resume')).body.data.status).toBe('sending');
    expect((await move(id, 'cancel')).body.data).toMatchObject({ status: 'cancelled', endedAt: expect.any(String) });
    expect((await read(id)).progress).toMatchObject({
      ...{ waiting: 0, sent: 1, skipped: 2 },
      skippedBy: [{ reason: 'journeyStopped', count: 2 }],
    });
    expect((await move(id, 'cancel')).status).toBe(200);
    expect((await move(id, 'send')).body.errors[0].message).toContain('It was canceled');
    expect((await move(id, 'resume')).body.errors[0].message).toContain('It was canceled');
  });

  it('leaves at each person’s local time, at once where that has passed', async () => {
    const hour = (plus: number) => new Date(Date.now() + plus * 3_600_000).toISOString().slice(0, 16);
    const [ahead, [early]] = await listOf(1, { time_zone: 'Pacific/Kiritimati' });
    const [, [late]] = await listOf(1, { time_zone: 'Etc/GMT+12' });
    await tenant.post(`/v2/lists/${ahead}/members`, { contactIds: [late] });
    // It is so late in Kiritimati already, and will be in more than a day at the other end of the earth.
    const id = await create({ audience: { staticListId: ahead }, when: { kind: 'localTime', at: hour(13) } });
    await move(id, 'send');
    const found = await until(
      () => read(id),
      ({ progress }) => progress.sent === 1,
    );
    expect(found).toMatchObject({ status: 'sending', progress: { waiting: 1 } });
    const { body } = await tenant.get(`/v2/messages?journeyId=${id}`);
    expect(body.data.map(({ contactId }: { contactId: string }) => contactId)).toEqual([early]);
    await move(id, 'cancel');
    expect((await read(id)).progress).toMatchObject({ sent: 1, waiting: 0, notReached: 1 });
  });

  it('changes until it begins, and says what is missing when it is sent too early', async () => {
    const id = await create({ emailId: undefined });
    expect((await move(id, 'send')).body.errors[0].message).toContain('choose an email');
    await tenant.patch(`/v2/broadcasts/${id}`, { emailId });
    expect((await move(id, 'send')).body.errors[0].message).toContain('choose who gets it');
    const [staticListId] = await listOf(1);
    const at = '2020-01-01T00:00:00Z';
    await tenant.patch(`/v2/broadcasts/${id}`, { audience: { staticListId }, when: { kind: 'at', at } });
    expect((await move(id, 'send')).body.errors[0].message).toContain('has passed');
    const { revision } = await read(id);
    const stale = await tenant.patch(`/v2/broadcasts/${id}`, { name: 'x' }, { 'if-match': `"${revision - 1}"` });
    expect(stale.status).toBe(412);
    await tenant.patch(`/v2/broadcasts/${id}`, { when: { kind: 'now' } });
    await move(id, 'send');
    await ended(id);
    const late = await tenant.patch(`/v2/broadcasts/${id}`, { when: { kind: 'at', at: inAnHour() } });
    expect([late.status, late.body.errors[0].message]).toEqual([409, expect.stringContaining('has begun')]);
    expect((await tenant.patch(`/v2/broadcasts/${id}`, { name: 'Renamed' })).body.data.name).toBe('Renamed');
  });

  it.each([
    [{ emailId: '0'.repeat(24) }, 'emailId'],
    [{ audience: {} }, 'audience'],
    [{ audience: { staticListId: 'x' } }, 'audience.staticListId'],
    [{ audience: { dynamicListId: '0'.repeat(24) } }, 'audience.dynamicListId'],
    [{ audience: { staticListId: 'x', dynamicListId: 'y' } }, 'audience'],
    [{ audience: { filter: { what: 1 } } }, 'filter'],
    [{ when: { kind: 'at' } }, 'when.at'],
    [{ when: { kind: 'at', at: 'soon' } }, 'when.at'],
    [{ when: { kind: 'now', at: '2999-01-01T00:00:00Z' } }, 'when.at'],
    [{ when: { kind: 'localTime', at: '2026-02-30T09:00' } }, 'when.at'],
    [{ when: { kind: 'localTime', at: '2026-02-20T09:00:00Z' } }, 'when.at'],
    [{ when: { kind: 'later' } }, 'when.kind'],
  ])('is refused as %j, which names %s', async (body, field) => {
    const answer = await tenant.post('/v2/broadcasts', { name: 'Wrong', ...body });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body.errors[0])).toContain(field);
  });

  it('is not among the journeys, and not changed as one', async () => {
    const journeyId = await makeJourney(tenant, { type: 'batch' });
    const [staticListId] = await listOf(1);
    const id = await create({ audience: { staticListId }, name: 'Apart' });
    const listed = await tenant.get('/v2/journeys?pageSize=200');
    const ids = listed.body.data.map((row: { journeyId: string }) => row.journeyId);
    expect(ids).toContain(journeyId);
    expect(ids).not.toContain(id);
    expect(listed.body.pagination.totalElements).toBe(ids.length);
    expect((await tenant.get(`/v2/journeys/${id}`)).body.data.kind).toBe('broadcast');
    expect((await tenant.get(`/v2/journeys/${journeyId}`)).body.data).not.toHaveProperty('kind');
    for (const what of ['activate', 'deactivate', 'pause', 'resume'])
      expect((await tenant.post(`/v2/journeys/${id}/${what}`)).status).toBe(409);
    expect((await tenant.patch(`/v2/journeys/${id}`, { name: 'x' })).body.errors[0].message).toContain(
      'is a broadcast',
    );
    expect((await tenant.delete(`/v2/journeys/${id}`)).status).toBe(409);
    for (const what of ['send', 'pause', 'resume', 'cancel', 'reach'])
      expect((await move(journeyId, what)).status).toBe(404);
    expect((await tenant.delete(`/v2/broadcasts/${journeyId}`)).status).toBe(404);
    const stranger = await tenantWithDomain(t);
    expect((await stranger.get(`/v2/broadcasts/${id}`)).status).toBe(404);
    expect((await stranger.post(`/v2/broadcasts/${id}/send`)).status).toBe(404);
    expect((await stranger.get('/v2/broadcasts')).body.data).toEqual([]);
  });

  it('is listed newest first by state, email and name, and deleted when it is not on its way', async () => {
    const other = await makeEmail(tenant);
    const [staticListId] = await listOf(1);
    const later = { kind: 'at', at: inAnHour() };
    const one = await create({ audience: { staticListId }, emailId: other, name: 'Listed one' });
    const two = await create({ audience: { staticListId }, emailId: other, name: 'Listed two', when: later });
    await move(two, 'send');
    const ids = async (query: string) =>
      (await tenant.get(`/v2/broadcasts?emailId=${other}${query}`)).body.data.map(
        (row: { broadcastId: string }) => row.broadcastId,
      );
    expect(await ids('')).toEqual([two, one]);
    expect(await ids('&status=draft')).toEqual([one]);
    expect(await ids('&status=scheduled&status=sent')).toEqual([two]);
    expect(await ids('&search=sted+one')).toEqual([one]);
    expect((await tenant.delete(`/v2/broadcasts/${two}`)).body.errors[0].message).toContain('Cancel it first');
    await move(two, 'cancel');
    for (const id of [one, two]) expect((await tenant.delete(`/v2/broadcasts/${id}`)).status).toBe(200);
    expect(await ids('')).toEqual([]);
  });
});
