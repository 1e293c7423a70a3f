// Lists with conditions on mail, in the app that ships.
import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { members, settled } from '../../../../test/audiences.js';
import { makeDynamicList as makeList } from '../../../../test/dynamic-lists.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { makeContact } from '../../../../test/events.js';
import { happened, judged, subscribed } from '../../../../test/filters/mail.js';
import { checkReferences } from '../../dynamic-lists/check-references.js';
import { readFilter } from '../../filter-language/read.js';
import { Subjects } from '../../filter-language/subjects.js';
import { messageSubjectsWith } from './index.js';

const t = useApp({ work: true });
const unknownId = '0123456789abcdef01234567';
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
});

async function inList(listId: string): Promise<string> {
  await settled(t, tenant.tenantId);
  return (await members(tenant, listId)).map((email) => email.replace('@x.io', '')).join(' ');
}

describe('a list that asks about mail', () => {
  it('follows what happens to it, and windows that close by themselves', async () => {
    const [a, b] = [await makeContact(tenant, 'a@x.io'), await makeContact(tenant, 'b@x.io')];
    const ever = await makeList(tenant, { marketing: 'opened', atLeast: 2 });
    const lately = await makeList(tenant, { marketing: 'opened', withinLast: 'PT5S' });
    const never = await makeList(tenant, { marketing: 'opened', exactly: 0 });
    expect([await inList(ever), await inList(lately), await inList(never)]).toEqual(['', '', 'a b']);
    const opened = (ms: number) => ({ eventName: 'opened' as const, eventDate: ago(ms) });
    await happened(t, tenant.tenantId, a, [opened(0), opened(60_000)]);
    await happened(t, tenant.tenantId, b, [{ ...opened(0), isMachine: true }]);
    expect([await inList(ever), await inList(lately), await inList(never)]).toEqual(['a', 'a', 'b']);
    await expect.poll(() => inList(lately), { timeout: 60_000 }).toBe('');
    await judged(t, tenant.tenantId, b, false);
    expect([await inList(ever), await inList(never)]).toEqual(['a', '']);
  });

  it('counts future activity when its time has come', async () => {
    const id = await makeContact(tenant, 'a@x.io');
    const list = await makeList(tenant, { marketing: 'delivered' });
    await happened(t, tenant.tenantId, id, [{ eventName: 'delivered', eventDate: ago(-4000) }]);
    expect(await inList(list)).toBe('');
    await expect.poll(() => inList(list), { timeout: 60_000 }).toBe('a');
  });

  it('follows who is unsubscribed', async () => {
    const [a] = [await makeContact(tenant, 'a@x.io'), await makeContact(tenant, 'b@x.io')];
    const gone = await makeList(tenant, { unsubscribed: true });
    const others = await makeList(tenant, { unsubscribed: false });
    expect([await inList(gone), await inList(others)]).toEqual(['', 'a b']);
    await subscribed(t, tenant.tenantId, a, false);
    expect([await inList(gone), await inList(others)]).toEqual(['a', 'b']);
    await subscribed(t, tenant.tenantId, a, true);
    expect([await inList(gone), await inList(others)]).toEqual(['', 'a b']);
  });

  it('reads what happened to mail to other members of an organization', async () => {
    await tenant.post('/v2/organizations', { orgId: 'o', name: 'Ore' });
    for (const who of ['a', 'b']) {
      await tenant.done(await tenant.post('/v2/users', { email: `${who}@x.io`, userId: who, orgIds: ['o'] }));
    }
    const list = await makeList(tenant, { orgMembers: { where: { marketing: 'clicked' } } });
    const gone = await makeList(tenant, { orgMembers: { where: { unsubscribed: true } } });
    expect([await inList(list), await inList(gone)]).toEqual(['', '']);
    const { id } = (await tenant.get('/v2/contacts/by-email/a@x.io')).body.data;
    await happened(t, tenant.tenantId, id, [{ eventName: 'clicked', eventDate: ago(0) }]);
    await subscribed(t, tenant.tenantId, id, false);
    expect([await inList(list), await inList(gone)]).toEqual(['a b', 'a b']);
  });

  it('is previewed and explained, with what was found', async () => {
    const id = await makeContact(tenant, 'a@x.io');
    const filter = { all: [{ marketing: 'clicked', atLeast: 3 }, { unsubscribed: false }] };
    const list = await makeList(tenant, filter);
    const rows = [1, 2].map((second) => ({ eventName: 'clicked' as const, eventDate: ago(second * 1000) }));
    await happened(t, tenant.tenantId, id, rows);
    await subscribed(t, tenant.tenantId, id, false);
    const { body } = await tenant.get(`/v2/dynamic-lists/${list}/explain?contactId=${id}`);
    expect(body.data.nodes.slice(1)).toEqual([
      {
        path: 'filter.all[0]',
        text: 'The contact clicked a link in an email at least 3 times.',
        holds: false,
        value: 2,
      },
      { path: 'filter.all[1]', text: 'The contact is not unsubscribed.', holds: false, value: true },
    ]);
    const preview = await tenant.post('/v2/dynamic-lists/preview', { filter: { none: filter.all } });
    expect(preview.body.data).toMatchObject({ count: 1, isExact: true });
  });
});

describe('an email or a journey that a filter names', () => {
  it('exists, or the filter is refused with its path', async () => {
    const emailId = await makeEmail(tenant);
    expect(await makeList(tenant, { marketing: 'opened', emailId })).toBeDefined();
    const filter = { any: [{ marketing: 'opened', emailId: unknownId, journeyId: unknownId }, { marketing: 'sent' }] };
    for (const path of ['/v2/dynamic-lists', '/v2/dynamic-lists/preview']) {
      const { status, body } = await tenant.post(path, path.endsWith('lists') ? { name: 'x', filter } : { filter });
      expect(status).toBe(400);
      expect(
        body.errors.map((error: { errorCode: string; detail: string }) => [error.errorCode, error.detail]),
      ).toEqual([
        ['VALIDATION_ERROR', 'filter.any[0].emailId: there is no such email'],
        ['VALIDATION_ERROR', 'filter.any[0].journeyId: there is no such journey'],
      ]);
    }
  });

  it('is not another tenant’s', async () => {
    const stranger = await tenantWithDomain(t);
    const filter = { orgMembers: { where: { marketing: 'opened', emailId: await makeEmail(stranger) } } };
    const { body } = await tenant.post('/v2/dynamic-lists', { name: 'x', filter });
    expect(body.errors[0].detail).toBe('filter.orgMembers.where.emailId: there is no such email');
  });

  it('may be deleted later: the list stays and warns', async () => {
    const emailId = await makeEmail(tenant);
    const list = await makeList(tenant, { marketing: 'opened', emailId });
    expect((await tenant.delete(`/v2/emails/${emailId}`)).status).toBe(200);
    const { body } = await tenant.get(`/v2/dynamic-lists/${list}`);
    expect(body.data.warnings).toEqual(['filter.emailId: there is no such email.']);
  });

  it('is checked by the journeys feature', async () => {
    const subjects = new Subjects(messageSubjectsWith(async (_db, _tenantId, id) => id === unknownId));
    const check = (journeyId: string) =>
      checkReferences(t.db, tenant.tenantId, readFilter({ marketing: 'sent', journeyId }, subjects));
    await expect(check(unknownId)).resolves.toBeDefined();
    await expect(check('1'.repeat(24))).rejects.toThrow('filter.journeyId: there is no such journey');
  });
});
