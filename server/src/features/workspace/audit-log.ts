import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { parseJson } from '../../lib/parse-json.js';
import { isNumber } from '../tenants/index.js';
import { type EntryFilter, type EntryRow, selectEntries } from './queries.js';
import { nameSubjects } from './subject-names.js';

export function auditEndpoints({ db }: { db: Database }): Endpoint[] {
  return [
    endpoint(contract.listAuditLog, async ({ caller, query }) => {
      const { rows, total } = await selectEntries(db, caller.tenantId, filterOf(query), pageOf(query));
      const names = await nameSubjects(db, caller.tenantId, rows);
      return { rows: rows.map((row, i) => ({ ...shown(row), subjectName: names[i] ?? null })), total };
    }),
  ];
}

interface Asked {
  action?: string | undefined;
  accountId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export function filterOf({ accountId, action, from, to }: Asked): EntryFilter {
  // No account has this number.
  const whose = accountId === undefined ? undefined : isNumber(accountId) ? Number(accountId) : 0;
  return { action, accountId: whose, from, to };
}

function shown({
  accountId,
  accountName,
  detail,
  ...entry
}: EntryRow): Omit<contract.DataValue<typeof contract.listAuditLog>, 'subjectName'> {
  return {
    ...entry,
    account: accountId === null ? null : { accountId, name: accountName ?? '' },
    detail: parseJson(detail) as Record<string, unknown>,
  };
}
