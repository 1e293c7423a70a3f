import { dynamicListing } from '../server/dist/features/dynamic-lists/queries.js';
import { selectStaticLists } from '../server/dist/features/lists/queries.js';

/**
 * The statement that the service sends for one page of lists.
 * @param {number} tenantId
 * @param {{ search?: string, limit?: number, offset?: number }} [page]
 * @returns {Promise<{ name: string, text: string, values: unknown[] }>}
 */
export async function listStatement(tenantId, { search, limit = 20, offset = 0 } = {}) {
  let sent;
  const spy = {
    rows: async (/** @type {unknown} */ statement) => {
      sent = statement;
      return [];
    },
  };
  await selectStaticLists(
    /** @type {any} */ (spy),
    tenantId,
    dynamicListing.count(tenantId, search),
    search,
    limit,
    offset,
  );
  return /** @type {any} */ (sent);
}
