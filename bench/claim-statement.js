import { claimMessages, selectHeads } from '../server/dist/features/messages/sender/queries.js';

/**
 * The statements with which a sender finds and claims messages.
 * @param {number} tenantId
 * @param {number} atMost
 * @returns {Promise<Record<'look' | 'claim', { text: string, values: unknown[] }>>}
 */
export async function claimStatements(tenantId, atMost) {
  /** @type {any[]} */
  const sent = [];
  const spy = /** @type {any} */ ({
    rows: async (/** @type {unknown} */ statement) => {
      sent.push(statement);
      return [];
    },
  });
  await selectHeads(spy);
  const lease = '00000000-0000-7000-8000-000000000000';
  await claimMessages(spy, tenantId, atMost, { lease, seconds: 120, onlyTransactional: false });
  return { look: sent[0], claim: sent[1] };
}
