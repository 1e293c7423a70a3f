// One contact: properties, topics and static lists. A change that would start or move people in a live journey needs a plan.
import { setTimeout as sleep } from 'node:timers/promises';
import * as contract from '@rapport/contract';
import { type Static, Type } from 'typebox';
import { ApiError, invalid } from '../../../http/api-error.js';
import { type LiveJourneys, needsPlan, quotedNames, type Touched } from '../live/live-journeys.js';
import { leftTopic } from '../live/reads.js';
import { type Session, shape, type ToolAnswer, tool } from '../tool.js';
import { anyObject, contactInput, getContact } from './people.js';
import type { Way } from './save.js';

interface ContactNeeds {
  live: LiveJourneys;
}

const lists = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: 20, description: `ids of static lists ${description}` }));

export const contactFields = {
  ...contactInput,
  properties: Type.Optional(anyObject('by key; null removes one')),
  topics: Type.Optional(anyObject('states by the key of a topic: {"news":"unsubscribed"}')),
  addToLists: lists('to be added to'),
  removeFromLists: lists('to be removed from'),
};
const ContactChange = Type.Object(contactFields);
type ContactChange = Static<typeof ContactChange>;

export const updateContact = (needs: ContactNeeds) =>
  tool({
    name: 'update_contact',
    title: 'Change a contact',
    scopes: ['write', 'people'],
    description:
      'Changes properties, topics and static lists of one contact. A change that would start or move somebody in a live journey is refused: plan it. Example: {"email":"ada@example.com","properties":{"plan":"pro"},"addToLists":["019a8b2c4d5e6f708192a3b1"]}',
    input: ContactChange,
    output: shape({ contactId: 'string', status: 'string', results: 'array', lists: 'array', cut: 'string' }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: (given, session) => changeContact(needs, given, session, { isPlanned: false }),
  });

export async function changeContact(
  { live }: ContactNeeds,
  given: ContactChange,
  session: Session,
  { isPlanned }: Way,
): Promise<ToolAnswer> {
  const { contactId, touched } = await checkChange(given, session);
  const names = isPlanned ? [] : await live.movedBy(session, touched);
  if (names.length > 0)
    throw needsPlan(
      `This may start or move someone in the live ${names.length === 1 ? 'journey' : 'journeys'} ${quotedNames(names)}.`,
    );
  const { properties, topics, addToLists = [], removeFromLists = [] } = given;
  const written =
    properties || topics
      ? await write(session, contactId, { ...(properties && { properties }), ...(topics && { topics }) })
      : undefined;
  const changed = [];
  for (const id of addToLists) {
    const { data } = await session.api(contract.addMembers, { params: { id }, body: { contactIds: [contactId] } });
    changed.push({ staticListId: id, added: data.added });
  }
  for (const id of removeFromLists) changed.push({ staticListId: id, removed: await remove(session, id, contactId) });
  const failed = written?.results.some(({ status }) => status === 'FAILED');
  return {
    data: { contactId, status: written?.status ?? 'DONE', results: written?.results ?? [], lists: changed },
    text: failed
      ? 'A part of the change failed; results say why.'
      : written?.status === 'PENDING'
        ? 'The change is accepted and will be applied soon.'
        : 'The contact is changed.',
    touched: [`contact:${contactId}`, ...changed.map(({ staticListId }) => `staticList:${staticListId}`)],
    ...(failed ? { isError: true } : {}),
  };
}

/** Everything that is named exists, before anything is changed. */
export async function checkChange(
  given: ContactChange,
  session: Session,
): Promise<{ contactId: string; touched: Touched }> {
  const { properties, topics, addToLists = [], removeFromLists = [] } = given;
  if (!properties && !topics && addToLists.length + removeFromLists.length === 0)
    throw invalid('properties', 'or topics, addToLists or removeFromLists is required');
  const { id: contactId } = await getContact(session, given);
  const staticLists = [...new Set([...addToLists, ...removeFromLists])];
  for (const id of staticLists) await session.api(contract.getList, { params: { id } });
  session.check(contract.updateContact, { body: { properties: properties ?? {}, ...(topics ? { topics } : {}) } });
  const known = topics ? await topicsNamed(session, contactId, Object.keys(topics)) : [];
  const left = Object.values(topics ?? {}).includes('unsubscribed') ? [leftTopic] : [];
  return {
    contactId,
    touched: { properties: Object.keys(properties ?? {}), topics: [...known, ...left], staticLists },
  };
}

/** Journeys name topics by id, callers by key. */
async function topicsNamed({ api }: Session, contactId: string, keys: readonly string[]): Promise<string[]> {
  // Every topic there is, in one answer.
  const { data } = await api(contract.listContactTopics, { params: { id: contactId } });
  return keys.flatMap((key) => {
    const topic = data.find((each) => each.key === key);
    if (!topic) throw new ApiError('NOT_FOUND', { what: 'topic' });
    return [key, topic.topicId];
  });
}

// A write is applied by a worker, mostly within a few milliseconds.
const lookMs = 50;
const mostLooks = 100;

async function write({ api }: Session, id: string, body: object) {
  const { data } = await api(contract.updateContact, { params: { id }, body });
  const { transactionId } = data;
  for (let looks = 0; looks < mostLooks; looks++) {
    const told = (await api(contract.getContactTransaction, { params: { transactionId } })).data;
    const results = told.data?.results ?? [];
    if (told.status === 'DONE')
      return { status: 'DONE', results: results.map(({ email: _email, contactId: _id, ...outcome }) => outcome) };
    await sleep(lookMs);
  }
  return { status: 'PENDING', results: [] };
}

/** A contact that is not in the list is not removed, which is fine. */
async function remove({ api }: Session, id: string, contactId: string): Promise<boolean> {
  try {
    await api(contract.removeMember, { params: { id, contactId } });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'CONTACT_NOT_FOUND') return false;
    throw error;
  }
}
