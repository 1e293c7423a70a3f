import type { Transaction } from '../../../db/database.js';
import type { TopicUseCheck } from '../../consent/index.js';
import type { DynamicListKeeper, DynamicListUseCheck, OwnerCheck } from '../../dynamic-lists/index.js';
import type { UseCheck } from '../../emails/index.js';
import type { FormUseCheck } from '../../forms/index.js';
import type { ListUseCheck } from '../../lists/index.js';
import { holdEdition } from '../life/queries.js';
import { keepJourney } from '../queries.js';
import { findBroadcastOf, selectNaming, selectUsers, type Used, type User } from './queries.js';

export const emailUse: UseCheck = (tx, tenantId, emailId) => useOf(tx, tenantId, 'email', emailId, 'sent');

export const staticListUse: ListUseCheck = (tx, tenantId, listId) => useOf(tx, tenantId, 'staticList', listId, 'used');

export const dynamicListUse: DynamicListUseCheck = (tx, tenantId, listId) =>
  useOf(tx, tenantId, 'dynamicList', listId, 'used');

/** The list of a broadcast's filter is that filter until it begins: what is shown there is whom it goes to. */
export const audienceKeeper: DynamicListKeeper = async (tx, tenantId, listId) => {
  const name = await findBroadcastOf(tx, tenantId, listId);
  return name === undefined ? undefined : `It is the audience of the broadcast "${name}". Change it there.`;
};

// Consent is kept for good, so what it is about is kept for drafts and journeys at rest, too.
export const topicUse: TopicUseCheck = (tx, tenantId, topicId) => namingOf(tx, tenantId, 'topic', topicId);

export const formUse: FormUseCheck = (tx, tenantId, formId) => namingOf(tx, tenantId, 'form', formId);

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

/** The same for journeys of any state that name it. */
async function namingOf(tx: Transaction, tenantId: number, what: Used, id: string): Promise<string | undefined> {
  await holdEdition(tx, tenantId);
  const names = await selectNaming(tx, tenantId, what, id);
  const [noun, pronoun] = names.length === 1 ? ['the journey', 'it'] : ['the journeys', 'them'];
  return names.length === 0 ? undefined : `It is named by ${noun} ${listed(names)}. Change or delete ${pronoun} first.`;
}

const mostNamed = 3;

/** Broadcasts are told apart: they are cancelled, journeys are deactivated. */
function inWords(users: readonly User[], how: string): string | undefined {
  const namesOf = (broadcasts: boolean) => users.flatMap((one) => (one.isBroadcast === broadcasts ? [one.name] : []));
  const [journeys, broadcasts] = [namesOf(false), namesOf(true)];
  const told = [
    ...(journeys.length === 0 ? [] : [`the active journey${plural(journeys)} ${listed(journeys)}`]),
    ...(broadcasts.length === 0 ? [] : [`the broadcast${plural(broadcasts)} ${listed(broadcasts)}`]),
  ];
  if (told.length === 0) return undefined;
  const ways = [...(journeys.length === 0 ? [] : ['deactivate']), ...(broadcasts.length === 0 ? [] : ['cancel'])];
  const way = `${ways.join(', ')} or change ${users.length === 1 ? 'it' : 'them'} first.`;
  return `It is ${how} by ${told.join(' and ')}. ${way[0]?.toUpperCase()}${way.slice(1)}`;
}

const plural = (names: readonly string[]) => (names.length === 1 ? '' : 's');

function listed(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).map((name) => `"${name}"`);
  const more = names.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
