import type { DataValue, explainDynamicList, explainFilter } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { contactExists } from '../contacts/index.js';
import {
  compileNodes,
  type Filter,
  findNodes,
  groundFor,
  isGroup,
  readFilter,
  readMoment,
  readsOf,
  type Subjects,
  say,
} from '../filter-language/index.js';
import { type AssetNames, checkReferences, namesIn } from './check-references.js';
import { isMemberSql } from './members/queries.js';
import { findDynamicList } from './queries.js';

/** Why a contact is in a list, or is not: every group and condition of its filter, with its result now. */
export async function explain(
  db: Database,
  tenantId: number,
  listId: string,
  contactId: string,
  subjects: Subjects,
): Promise<DataValue<typeof explainDynamicList>> {
  const list = isAssetId(listId) ? await findDynamicList(db, tenantId, listId) : undefined;
  if (!list) throw notFound('dynamic list');
  if (!(await contactExists(db, tenantId, contactId))) throw new ApiError('BAS-E-002');
  const filter = readFilter(list.filter, subjects);
  const names = await namesIn(db, tenantId, readsOf(filter));
  return explainNodes(db, tenantId, filter, names, { listNo: list.listNo, contactId });
}

/** The same for a filter without a list. */
export async function explainUnsaved(
  db: Database,
  tenantId: number,
  filter: Filter,
  contactId: string,
): Promise<DataValue<typeof explainFilter>> {
  if (!(await contactExists(db, tenantId, contactId))) throw new ApiError('BAS-E-002');
  const names = await checkReferences(db, tenantId, filter);
  const { isMember: _, ...explained } = await explainNodes(db, tenantId, filter, names, { listNo: null, contactId });
  return explained;
}

async function explainNodes(
  db: Database,
  tenantId: number,
  filter: Filter,
  names: AssetNames,
  { listNo, contactId }: { listNo: number | null; contactId: string },
) {
  const moment = await readMoment(db, tenantId);
  const { joins, nodes } = compileNodes(filter, groundFor(tenantId, moment, [contactId]));
  // The result of a group follows from its conditions: if groups were asked too, each condition would be in the statement once per group around it.
  const conditions = nodes.filter(({ node }) => !isGroup(node));
  const isMember = isMemberSql(tenantId, listNo, contactId);
  const found = await findNodes(db.slow(tenantId), tenantId, { contactId, isMember }, { joins, nodes: conditions });
  // Erased since it was looked up.
  if (!found) throw new ApiError('BAS-E-002');
  const places = new Map(conditions.map(({ path }, i) => [path, i]));
  const holds = (node: Filter): boolean => {
    if (!isGroup(node)) return found.holds[places.get(node.path) ?? -1] === true;
    if (node.kind === 'all') return node.of.every(holds);
    return node.of.some(holds) === (node.kind === 'any');
  };
  const explained = nodes.map(({ path, node, value }) => ({
    ...{ path, text: say(node, names), holds: holds(node) },
    ...(value ? { value: found.values[places.get(path) ?? -1] ?? null } : {}),
  }));
  return { contactId, isMember: found.isMember, holds: holds(filter), evaluatedAt: moment.shown, nodes: explained };
}
