import type { DataValue, explainDynamicList as route } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { contactExists } from '../contacts/index.js';
import { namesIn } from './check-references.js';
import { findNodes, groundFor, readMoment } from './evaluation/queries.js';
import { compileNodes } from './filter/compile/index.js';
import { readFilter } from './filter/read.js';
import { readsOf } from './filter/reads.js';
import { say } from './filter/say.js';
import type { Subjects } from './filter/subjects.js';
import { findDynamicList } from './queries.js';

/** Why a contact is in a list, or is not: every group and condition of its filter, with what it comes to now. */
export async function explain(
  db: Database,
  tenantId: number,
  listId: string,
  contactId: string,
  subjects: Subjects,
): Promise<DataValue<typeof route>> {
  const list = isAssetId(listId) ? await findDynamicList(db, tenantId, listId) : undefined;
  if (!list) throw notFound('dynamic list');
  if (!(await contactExists(db, tenantId, contactId))) throw new ApiError('BAS-E-002');
  const filter = readFilter(list.filter, subjects);
  const names = await namesIn(db, tenantId, readsOf(filter));
  const moment = await readMoment(db, tenantId);
  const compiled = compileNodes(filter, groundFor(tenantId, moment, [contactId]));
  const found = await findNodes(db.slow(tenantId), tenantId, { listNo: list.listNo, contactId }, compiled);
  // Erased since it was looked for.
  if (!found) throw new ApiError('BAS-E-002');
  const nodes = compiled.nodes.map(({ path, node, value }, i) => ({
    ...{ path, text: say(node, names), holds: found.holds[i] === true },
    ...(value ? { value: found.values[i] ?? null } : {}),
  }));
  return { contactId, isMember: found.isMember, holds: nodes[0]?.holds === true, evaluatedAt: moment.shown, nodes };
}
