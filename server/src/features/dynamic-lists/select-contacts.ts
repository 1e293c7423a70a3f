// For the feature below that lists and exports contacts: which contacts match a filter, and which are in a list.

import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import type { ContactFilter, ContactIds, ContactSelection } from '../contacts/index.js';
import { compile, groundFor, hitsOf, readMoment } from '../filter-language/index.js';
import { selectListNames } from '../lists/index.js';
import type { Authoring } from './authoring.js';
import { checkReferences } from './check-references.js';
import { membersSql } from './members/queries.js';
import { selectDynamicNames } from './references/queries.js';

export function contactSelection(db: Database, authoring: Authoring): ContactSelection {
  return {
    readFilter: (tenantId, text) => readContactFilter(db, authoring, tenantId, text),
    membersOf: async (tenantId, list) => {
      const members = await liveMembers(db, tenantId, list);
      if (!members) throw notFound('list');
      return members;
    },
  };
}

async function readContactFilter(
  db: Database,
  authoring: Authoring,
  tenantId: number,
  text: string,
): Promise<ContactFilter> {
  const filter = authoring.readText(text);
  await checkReferences(db, tenantId, filter);
  // One moment for everything: while a file takes minutes, time windows must not move.
  const moment = await readMoment(db, tenantId);
  return {
    matching: hitsOf(tenantId, compile(filter, groundFor(tenantId, moment))),
    among: async (runner, contactIds) => {
      const compiled = compile(filter, groundFor(tenantId, moment, contactIds));
      const rows = await runner.rows(hitsOf(tenantId, compiled, contactIds));
      return new Set(rows.map((row) => row.contact_id));
    },
  };
}

type Wanted = Parameters<ContactSelection['membersOf']>[1];

async function liveMembers(db: Database, tenantId: number, list: Wanted): Promise<ContactIds | undefined> {
  const [id, select] =
    'staticListId' in list ? [list.staticListId, selectListNames] : [list.dynamicListId, selectDynamicNames];
  const isLive = isAssetId(id) && (await select(db, tenantId, [id])).has(id);
  return isLive ? membersSql(tenantId, list) : undefined;
}
