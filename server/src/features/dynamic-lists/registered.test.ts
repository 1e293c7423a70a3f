import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeDynamicList } from '../../../test/dynamic-lists.js';
import type { Transaction } from '../../db/database.js';
import { sql } from '../../db/sql.js';
import type { Subject } from '../filter-language/subject.js';
import { Authoring, type AuthoringNeeds } from './authoring.js';
import { checkReferences } from './check-references.js';
import { createDynamicList } from './create-list.js';
import { deleteDynamicList } from './delete-list.js';
import { updateDynamicList } from './update-list.js';

// What features above register, tried without them.
const t = useApp();
const journeyId = '019a8b2c4d5e6f708192a3d1';
const filter = { property: 'plan', is: 'pro' };

function authoringWith(needs: Partial<AuthoringNeeds> = {}) {
  let edits = 0;
  const onEdit = () => {
    edits++;
  };
  return {
    authoring: new Authoring({ subjects: [], uses: [], keepers: [], owners: [], onEdit, ...needs }),
    edits: () => edits,
  };
}

async function byOf({ tenantId }: TenantClient) {
  const row = await t.db.row(
    sql<{ id: number }>`select min(account_id) as id from account where tenant_id = ${tenantId}`,
  );
  return { tenantId, accountId: row?.id as number };
}

describe('a journey', () => {
  it('owns the lists that are made for it', async () => {
    const { authoring } = authoringWith({ owners: [async (_tx, _tenantId, id) => id === journeyId] });
    const by = await byOf(await t.tenant());
    const write = <T>(work: (tx: Transaction) => Promise<T>) => t.db.transaction(work);
    const read = authoring.read(filter);
    const made = await write((tx) => createDynamicList(tx, by, { name: 'x', filter, journeyId }, read, authoring));
    expect(made.listType).toBe('campaign_audience');
    const id = made.dynamicListId as string;
    const freed = await write((tx) => updateDynamicList(tx, by, id, { journeyId: null }, undefined, authoring));
    expect(freed.listType).toBe('dynamic_list_asset');
    const stranger = { name: 'x', filter, journeyId: '019a8b2c4d5e6f708192a3d2' };
    await expect(write((tx) => createDynamicList(tx, by, stranger, read, authoring))).rejects.toThrow(/journeyId/);
  });

  it('keeps the lists that it uses from being deleted', async () => {
    const tenant = await t.tenant();
    const by = await byOf(tenant);
    const id = await makeDynamicList(tenant, filter);
    const used = authoringWith({ uses: [async () => 'It is the audience of a journey.'] });
    await expect(t.db.transaction((tx) => deleteDynamicList(tx, by, id, used.authoring))).rejects.toThrow('audience');
    expect(used.edits()).toBe(0);
    const free = authoringWith();
    await t.db.transaction((tx) => deleteDynamicList(tx, by, id, free.authoring));
    expect(free.edits()).toBe(1);
  });
});

describe('an edit', () => {
  it('is announced once it is committed, and only if a filter was added, changed or removed', async () => {
    const { authoring, edits } = authoringWith();
    const by = await byOf(await t.tenant());
    const made = await t.db.transaction(async (tx) => {
      const list = await createDynamicList(tx, by, { name: 'x', filter }, authoring.read(filter), authoring);
      expect(edits()).toBe(0);
      return list;
    });
    expect(edits()).toBe(1);
    const id = made.dynamicListId as string;
    await t.db.transaction((tx) => updateDynamicList(tx, by, id, { name: 'y' }, undefined, authoring));
    expect(edits()).toBe(1);
    const other = { all: [] };
    const read = authoring.read(other);
    await t.db.transaction((tx) => updateDynamicList(tx, by, id, { filter: other }, read, authoring));
    expect(edits()).toBe(2);
  });
});

describe('a subject of another feature', () => {
  it('says which of its references lead nowhere, each with its place', async () => {
    const { tenantId } = await t.tenant();
    const subject: Subject<string> = {
      key: 'sent',
      read: (condition) => String(condition.sent),
      say: (id) => `was sent ${id}`,
      reads: () => [],
      compile: () => ({ holds: sql`true` }),
      missing: async (_db, _tenantId, id, path) =>
        id === 'known' ? [] : [{ path: `${path}.sent`, words: 'there is no such email' }],
    };
    const { authoring } = authoringWith({ subjects: [subject] });
    const check = (id: string) => checkReferences(t.db, tenantId, authoring.read({ any: [{ sent: id }] }));
    await expect(check('known')).resolves.toBeDefined();
    await expect(check('other')).rejects.toThrow('filter.any[0].sent: there is no such email');
  });
});
