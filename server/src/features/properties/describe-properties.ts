import type {
  DataValue,
  listProperties as listRoute,
  PropertyOwner,
  listPropertyValues as route,
} from '@rapport/contract';
import type { Database } from '../../db/database.js';
import type { Page, PageOf } from '../../db/paged.js';
import { foldCase } from '../../lib/text.js';
import { propertyKeysSql, sampleOfContacts } from '../contacts/index.js';
import { sampleOfOrganizations } from '../organizations/index.js';
import { sampleOfUsers } from '../users/index.js';
import { lookAlikes } from './look-alikes.js';
import { type Sample, selectProperties, selectValues } from './queries.js';

/** Records in a sample, fewer if they are large: enough to know a share within two percent, and read in some 50 ms. */
const sampled = 5000;
const mostValues = 20;

const samples: Record<PropertyOwner, (tenantId: number, wanted: number) => Sample> = {
  contact: sampleOfContacts,
  user: sampleOfUsers,
  organization: sampleOfOrganizations,
};

export async function listProperties(
  db: Database,
  tenantId: number,
  of: PropertyOwner,
  search: string | undefined,
  page: PageOf,
): Promise<Page<DataValue<typeof listRoute>>> {
  // Only contacts have a list of their keys; for the others, those in the sample.
  const keys = of === 'contact' ? propertyKeysSql(tenantId) : undefined;
  const slow = db.slow(tenantId);
  const { rows, total, looked } = await selectProperties(slow, samples[of](tenantId, sampled), keys, search, page);
  const described = rows.map(({ key, having, types, examples }) => ({
    ...{ key, types, examples },
    share: looked === 0 ? 0 : Math.round((having / looked) * 10_000) / 10_000,
  }));
  return { rows: described, total };
}

export async function listValues(
  db: Database,
  tenantId: number,
  of: PropertyOwner,
  key: string,
  search: string | undefined,
): Promise<DataValue<typeof route>> {
  const { rows, types, looked } = await selectValues(db.slow(tenantId), samples[of](tenantId, sampled), key);
  const wanted = search === undefined ? undefined : foldCase(search);
  // Folded here: the database knows only the letters of its own locale.
  const found = wanted === undefined ? rows : rows.filter(({ value }) => foldCase(String(value)).includes(wanted));
  return { values: found.slice(0, mostValues), types, lookAlikes: lookAlikes(rows), sampled: looked };
}
