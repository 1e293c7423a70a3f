import type { Transaction } from '../../../db/database.js';
import type { TopicUseCheck } from '../../consent/index.js';
import type { DynamicListUseCheck, OwnerCheck } from '../../dynamic-lists/index.js';
import type { UseCheck } from '../../emails/index.js';
import type { ListUseCheck } from '../../lists/index.js';
import { holdEdition } from '../life/queries.js';
import { keepJourney } from '../queries.js';
import { selectUsers, type Used } from './queries.js';

export const emailUse: UseCheck = (tx, tenantId, emailId) => useOf(tx, tenantId, 'email', emailId, 'sent');

export const staticListUse: ListUseCheck = (tx, tenantId, listId) => useOf(tx, tenantId, 'staticList', listId, 'used');

export const dynamicListUse: DynamicListUseCheck = (tx, tenantId, listId) =>
  useOf(tx, tenantId, 'dynamicList', listId, 'used');

export const topicUse: TopicUseCheck = (tx, tenantId, topicId) => useOf(tx, tenantId, 'topic', topicId, 'used');

/** Of a journey: the active ones that start it, or take contacts out of it. */
export function journeyUse(tx: Transaction, tenantId: number, journeyId: string): Promise<string | undefined> {
  return useOf(tx, tenantId, 'journey', journeyId, 'used');
}

/** A dynamic list can be made for a journey that is there. */
export const listOwner: OwnerCheck = keepJourney;

/** Why it is in use, if it is. No journey is activated until the transaction ends, so that it stays so. */
async function useOf(
  tx: Transaction,
  tenantId: number,
  what: Used,
  id: string,
  how: string,
): Promise<string | undefined> {
  await holdEdition(tx, tenantId);
  return inWords(await selectUsers(tx, tenantId, what, id), how);
}

const mostNamed = 3;

function inWords(names: readonly string[], how: string): string | undefined {
  if (names.length === 0) return undefined;
  const named = names.slice(0, mostNamed).map((name) => `"${name}"`);
  const more = names.length - named.length;
  const whose = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const [noun, pronoun] = names.length === 1 ? ['the active journey', 'it'] : ['the active journeys', 'them'];
  return `It is ${how} by ${noun} ${whose}. Deactivate or change ${pronoun} first.`;
}
