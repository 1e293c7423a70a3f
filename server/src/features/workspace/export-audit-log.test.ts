import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeTeam } from '../../../test/team.js';
import { sql } from '../../db/sql.js';

const t = useApp();
const path = '/exports/audit-log';
const linesOf = (text: string) => text.trimEnd().split('\r\n');

it('has every entry with names and exact times, newest first, itself among them', async () => {
  const { admin, tenantId } = await makeTeam(t);
  await admin.patch('/v2/workspace', { timeZone: 'Europe/Berlin' });
  const reply = await admin.get(path);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="audit-log.csv"',
  });
  const [head, first = '', second = ''] = linesOf(reply.text);
  expect(head).toBe('entryNo,at,accountId,account,action,subject,subjectName,address,detail,hash');
  expect(first).toMatch(/^\d+,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,\d+,A admin,report.exported,audit-log,/);
  expect(second).toContain(',workspace.changed,');
  const count = await t.db.row(sql<{ n: number }>`select count(*) as n from audit_entry where tenant_id = ${tenantId}`);
  expect(linesOf(reply.text)).toHaveLength((count?.n ?? 0) + 1);
});

it('respects the filters of the log, and reads long ones in steps', async () => {
  const { admin, tenantId } = await makeTeam(t);
  await t.db.run(sql`
    insert into audit_entry (tenant_id, entry_no, at, account_id, action, subject, detail, address, hash)
    select ${tenantId}::bigint, 100000 + n, now(), ${admin.accountId}::bigint, 'form.changed', '=1+1', '{}', null, sha256('x')
    from generate_series(1, 1203) n`);
  const all = linesOf((await admin.get(`${path}?action=form.changed`)).text);
  expect(all).toHaveLength(1204);
  expect(all[1]).toContain("'=1+1");
  expect(new Set(all).size).toBe(1204);
  expect(linesOf((await admin.get(`${path}?action=form.changed&to=2020-01-01`)).text)).toHaveLength(1);
  expect(linesOf((await admin.get(`${path}?accountId=${admin.accountId}&action=form.changed`)).text)).toHaveLength(
    1204,
  );
  expect(linesOf((await admin.get(`${path}?accountId=nobody`)).text)).toHaveLength(1);
  expect((await admin.get(`${path}?from=never`)).status).toBe(400);
});

it('is for admins of the workspace', async () => {
  const [own, other] = [await makeTeam(t), await makeTeam(t)];
  for (const mate of [own.member, own.viewer]) expect((await mate.get(path)).status).toBe(403);
  await other.admin.patch('/v2/workspace', { name: 'Elsewhere' });
  expect((await own.admin.get(path)).text).not.toContain('workspace.changed');
});
