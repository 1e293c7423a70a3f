// A change of what a live journey waits for or sends: a contact, an email or a dynamic list, with the arguments of the tool that refused it.
import * as contract from '@rapport/contract';
import { invalid } from '../../../http/api-error.js';
import { quotedNames } from '../live/live-journeys.js';
import type { Session, ToolAnswer } from '../tool.js';
import { getContact, plural, shownContact } from '../tools/people.js';
import { changeEmail, changeList, type SaveNeeds } from '../tools/save.js';
import { changeContact, checkChange } from '../tools/update-contact.js';
import type { PlanGiven, Prepared } from './planned.js';

export type ChangeNeeds = SaveNeeds;

export function prepareChange(needs: ChangeNeeds, given: PlanGiven, session: Session): Promise<Prepared> {
  const { scopes } = session;
  if (!scopes.has('write')) throw invalid('action', 'change needs the scope write');
  const { emailId, dynamicListId } = given;
  if (emailId !== undefined) return prepareEmail(needs, { ...given, emailId }, session);
  if (dynamicListId !== undefined) return prepareList(needs, { ...given, dynamicListId }, session);
  if (!scopes.has('people')) throw invalid('action', 'change of a contact needs the scope people');
  return prepareContact(needs, given, session);
}

async function done(answer: Promise<ToolAnswer>): Promise<Record<string, unknown>> {
  const { data } = await answer;
  const { differences: _differences, ...told } = data;
  return told;
}

async function prepareContact(needs: ChangeNeeds, given: PlanGiven, session: Session): Promise<Prepared> {
  const { contactId: id, email, properties, topics, addToLists, removeFromLists } = given;
  const change = {
    ...{ ...(id && { contactId: id }), ...(email && { email }), ...(properties && { properties }) },
    ...{ ...(topics && { topics }), ...(addToLists && { addToLists }), ...(removeFromLists && { removeFromLists }) },
  };
  const { contactId, touched } = await checkChange(change, session);
  const names = await needs.live.movedBy(session, touched);
  const parts = [
    ...touched.properties.map((key) => `the property “${key}”`),
    ...Object.keys(topics ?? {}).map((key) => `the topic “${key}”`),
    ...(touched.staticLists.length > 0 ? [plural(touched.staticLists.length, 'static list')] : []),
  ];
  const effect = names.length > 0 ? `, which may start or move them in ${quotedNames(names)}` : '';
  return {
    sentence: `Change ${parts.join(', ')} of one contact${effect}: 1 person.`,
    reach: 1,
    firstRecipients: [shownContact(await getContact(session, { contactId }))],
    ...{ warnings: [], basis: { journeys: names }, contactIds: [contactId] },
    touched: [`contact:${contactId}`],
    run: (step) => {
      const { email: _email, ...rest } = change as PlanGiven;
      return step(0, () => done(changeContact(needs, { ...rest, contactId }, session, { isPlanned: true })));
    },
  };
}

async function prepareEmail(
  needs: ChangeNeeds,
  given: PlanGiven & { emailId: string },
  session: Session,
): Promise<Prepared> {
  const { emailId } = given;
  const body = changedFields(given);
  const { data: email, etag } = await session.api(contract.getEmail, { params: { id: emailId } });
  const { rows } = await session.api(contract.listJourneys, { query: { emailId, status: 'active', pageSize: 50 } });
  const inside = await Promise.all(
    rows.map(async ({ journeyId }) => {
      const { data } = await session.api(contract.getJourneyFunnel, { params: { id: journeyId } });
      return data.inProgress;
    }),
  );
  const reach = inside.reduce((sum, count) => sum + count, 0);
  const tried = await changeEmail(needs, { ...body, dryRun: true }, session, { isPlanned: true });
  const faults = tried.data.faults as { message?: string }[];
  return {
    sentence: `Change the email “${email.name}”${rows.length > 0 ? `, which ${quotedNames(rows.map((row) => row.name))} sends` : ''}: ${plural(reach, 'person', 'people')} in it now.`,
    ...{ reach, firstRecipients: [], warnings: faults.map(({ message }) => String(message)) },
    ...{ basis: { updatedAt: email.updatedAt, etag: etag ?? null }, contactIds: [] },
    touched: [`email:${emailId}`],
    run: (step) => step(0, () => done(changeEmail(needs, body, session, { isPlanned: true }))),
  };
}

async function prepareList(
  needs: ChangeNeeds,
  given: PlanGiven & { dynamicListId: string },
  session: Session,
): Promise<Prepared> {
  const { dynamicListId } = given;
  const body = changedFields(given);
  const { data: list } = await session.api(contract.getDynamicList, { params: { id: dynamicListId } });
  const names = await needs.live.usingList(session, dynamicListId);
  const tried = await changeList(needs, { ...body, dryRun: true }, session, { isPlanned: true });
  const reach = typeof tried.data.count === 'number' ? tried.data.count : 0;
  return {
    sentence: `Change the list “${list.name}”${names.length > 0 ? `, which ${quotedNames(names)} depends on` : ''}: ${plural(reach, 'person', 'people')} match it then.`,
    ...{ reach, firstRecipients: [], warnings: [], contactIds: [] },
    basis: { updatedAt: list.updatedAt, journeys: names },
    touched: [`dynamicList:${dynamicListId}`],
    run: (step) => step(0, () => done(changeList(needs, body, session, { isPlanned: true }))),
  };
}

/** What is given of an email, or of a dynamic list. */
export function changedFields(given: PlanGiven) {
  const { emailId, dynamicListId, name, folderId } = given;
  if (emailId === undefined)
    return onlyGiven({ dynamicListId, name, folderId, description: given.description, filter: given.filter });
  const { subject, preheader, html, design, fromEmail, replyTo, topicId } = given;
  return onlyGiven({ emailId, name, folderId, subject, preheader, html, design, fromEmail, replyTo, topicId });
}

/** Without what was not given. */
function onlyGiven<T extends Record<string, unknown>>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
