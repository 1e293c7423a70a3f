import { describe, expect, it } from 'vitest';
import { unboundTables } from './unbound-tables.js';

const ofTenants = new Set(['contact', 'event', 'list']);
const unbound = (text: string) => unboundTables(text, ofTenants);

describe('a statement is bound to a tenant', () => {
  it.each([
    'select 1 from contact where tenant_id = $1 and email = $2',
    'select 1 from tenant',
    'select 1 from contact c join event e using (tenant_id, contact_id) where c.tenant_id = $1',
    'select 1 from contact c join event e on e.tenant_id = c.tenant_id and e.contact_id = c.contact_id where e.tenant_id = $1',
    'select 1 from contact c, event e where (c.tenant_id, c.contact_id) = ($1, $2) and (e.tenant_id, e.contact_id) = (c.tenant_id, c.contact_id)',
    'select 1 from contact where (tenant_id, contact_id) in (select a, b from unnest($1::int[], $2::uuid[]) x (a, b))',
    'select 1 from unnest($1::int[]) w (tenant_id) join contact c on c.tenant_id = w.tenant_id',
    'select (select count(*) from event e where e.tenant_id = c.tenant_id) from contact c where c.tenant_id = $1',
    'with found as (select * from contact where tenant_id = $1) select 1 from found',
    'select 1 from (select tenant_id, name from contact where email is null) c where c.tenant_id = $1',
    'with contact as (select 1) select 1 from contact',
    'insert into contact (tenant_id) values ($1)',
    'insert into contact (tenant_id) select tenant_id from event where tenant_id = $1 on conflict do nothing',
    'update contact set a = 1 from event e where contact.tenant_id = $1 and e.tenant_id = contact.tenant_id',
    'delete from contact c using unnest($1::int[]) x (tenant_id) where c.tenant_id = x.tenant_id',
    'merge into contact c using (select $1 as tenant_id) s on c.tenant_id = s.tenant_id when matched then delete',
  ])('%s', async (text) => {
    expect(await unbound(text)).toEqual([]);
  });
});

describe('a statement reads the rows of others', () => {
  it.each([
    ['select 1 from contact where email = $1', ['contact']],
    ['select 1 from contact c join event e using (tenant_id, contact_id)', ['contact', 'event']],
    ['select 1 from contact c join event e on e.contact_id = c.contact_id where c.tenant_id = $1', ['event']],
    ['select 1 from contact where tenant_id = $1 or email = $2', ['contact']],
    ['select 1 from contact where tenant_id > $1', ['contact']],
    ['select 1 from list where tenant_id = $1 and exists (select from event where event.id = list.id)', ['event']],
    ['with found as (select * from event) select 1 from found where tenant_id = $1', ['event']],
    ['insert into contact (tenant_id) select tenant_id from event', ['event']],
    ['select 1 from (select tenant_id, name from contact where email is null) c where c.name = $1', ['contact']],
    ['select 1 from (select tenant_id, name from contact limit 3) c where c.tenant_id = $1', ['contact']],
    ['update contact set a = 1 where email = $1', ['contact']],
    ['delete from contact where email = $1 returning tenant_id', ['contact']],
    ['select 1 from contact union all select 1 from event where tenant_id = $1', ['contact']],
  ])('%s', async (text, tables) => {
    expect(await unbound(text)).toEqual(tables);
  });
});
