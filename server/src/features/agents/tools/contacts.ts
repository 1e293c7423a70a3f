// People: one of them, those that a filter finds, and why they did or did not get something.
import * as contract from '@rapport/contract';
import { Type } from 'typebox';
import { invalid } from '../../../http/api-error.js';
import { wordsIn } from '../mask.js';
import { nearestToFaults } from '../nearest.js';
import { pageData, pagingInput, rangeOf, readRange } from '../paging.js';
import { refuseGuessing } from '../refuse-guessing.js';
import { pageFields, reads, type Session, shape, tool } from '../tool.js';
import { contactInput, faultsOf, filterInput, getContact, plural, shownContact } from './people.js';
import { warningsFor } from './warnings.js';

const mostShown = 50;

export const getContactTool = tool({
  name: 'get_contact',
  title: 'Read a contact',
  scopes: ['read'],
  description:
    'One contact: the person with properties, organizations, lists, topics, journeys and the last activity. Example: {"email":"ada@example.com"}',
  input: Type.Object({
    ...contactInput,
    propertyKeys: Type.Optional(
      Type.Array(Type.String(), { maxItems: 200, description: 'only these properties; all by default' }),
    ),
  }),
  output: shape({
    ...{ contact: 'object', organizations: 'array', lists: 'array', topics: 'array', journeys: 'array' },
    ...{ activity: 'array', cut: 'string' },
  }),
  annotations: reads,
  run: async ({ propertyKeys, ...given }, session) => {
    const contact = await getContact(session, given);
    const { api } = session;
    const params = { id: contact.id };
    const shown = shownContact(contact);
    if (propertyKeys)
      shown.properties = Object.fromEntries(
        Object.entries(contact.properties).filter(([key]) => propertyKeys.includes(key)),
      );
    const [users, lists, topics, journeys, activity] = await Promise.all([
      api(contract.getUsersByEmail, { params: { email: contact.email } }),
      api(contract.listContactLists, { params, query: { pageSize: mostShown } }),
      api(contract.listContactTopics, { params }),
      api(contract.listContactJourneys, { params, query: { pageSize: 20 } }),
      api(contract.listContactActivity, { params, query: { pageSize: 10 } }),
    ]);
    const orgIds = [...new Set(users.data.flatMap((user) => user.orgIds))].slice(0, 10);
    const organizations = await Promise.all(
      orgIds.map(async (orgId) => {
        const { data } = await api(contract.getOrganization, { params: { orgId } });
        return { orgId, name: data.name };
      }),
    );
    return {
      data: {
        ...{ contact: shown, organizations, lists: lists.rows, topics: topics.data },
        journeys: await named(session, journeys.rows),
        activity: activity.rows,
        ...(lists.total > mostShown
          ? { cut: `lists shows ${mostShown} of ${lists.total}. Ask explain about another one by its id.` }
          : {}),
      },
      rest: 'Call again with propertyKeys for some of the properties.',
      text: `One contact, in ${plural(lists.total, 'list')} and ${plural(journeys.total, 'journey')}.`,
      touched: [`contact:${contact.id}`],
      secrets: [...wordsIn(contact.properties), ...users.data.flatMap(({ properties }) => wordsIn(properties))],
    };
  },
});

/** The names of the journeys that a contact is in. */
async function named<T extends { journeyId: string }>({ api }: Session, rows: readonly T[]) {
  const ids = [...new Set(rows.map(({ journeyId }) => journeyId))].slice(0, 20);
  const known = await Promise.all(
    ids.map(async (id) => {
      // One that was deleted has no name any more.
      const answer = await api(contract.getJourney, { params: { id } }).catch(() => undefined);
      return [id, answer?.data.name ?? null] as const;
    }),
  );
  const names = new Map(known);
  return rows.map((row) => ({ name: names.get(row.journeyId) ?? null, ...row }));
}

export const findContacts = tool({
  name: 'find_contacts',
  title: 'Find contacts by a filter',
  scopes: ['read'],
  description:
    'Counts the contacts that a filter finds and reads a page of them; without a filter, all. Without the scope people they are masked, and a filter cannot read addresses or parts of texts. Example: {"filter":{"all":[{"property":"plan","is":"trial"}]},"limit":10}',
  input: Type.Object({ filter: Type.Optional(filterInput), ...pagingInput }),
  output: shape({ ...pageFields, warnings: 'array' }),
  annotations: reads,
  run: async ({ filter, ...paging }, session) => {
    refuseGuessing(session, 'filter', filter);
    const range = rangeOf(paging);
    const text = filter && JSON.stringify(filter);
    const { rows, total } = await readRange(range, (page) =>
      session.api(contract.listContacts, { query: { filter: text, ...page } }),
    );
    const warnings = filter && total === 0 ? await warningsFor(session, filter, total) : undefined;
    return {
      data: { ...pageData(range, rows.map(shownContact), total), ...(warnings ? { warnings } : {}) },
      text: `${plural(total, 'contact')} found.`,
      touched: rows.map(({ id }) => `contact:${id}`),
    };
  },
});

export const previewAudience = tool({
  name: 'preview_audience',
  title: 'Try a filter',
  scopes: ['read'],
  description:
    'Says what a filter means before it is saved: how many it finds, the sentence that it says, up to 10 people, warnings, and faults with their places. Example: {"filter":{"all":[{"event":"signed_up","atLeast":1,"withinLast":"P7D"}]}}',
  input: Type.Object({ filter: filterInput }),
  output: shape({
    ...{ count: ['integer', 'null'], isExact: 'boolean', sentence: ['string', 'null'], people: 'array' },
    ...{ warnings: 'array', faults: 'array', nearest: 'array', cut: 'string' },
  }),
  annotations: reads,
  run: async ({ filter }, session) => {
    refuseGuessing(session, 'filter', filter);
    const text = JSON.stringify(filter);
    try {
      const { data } = await session.api(contract.previewFilter, { query: { filter: text } });
      const { rows } = await session.api(contract.listContacts, { query: { filter: text, pageSize: 10 } });
      const warnings = await warningsFor(session, filter, data.count);
      return {
        data: {
          ...{ count: data.count, isExact: data.isExact, sentence: data.text, people: rows.map(shownContact) },
          ...{ warnings, faults: [] },
        },
        text: `The filter finds ${plural(data.count, 'contact')}.`,
        touched: rows.map(({ id }) => `contact:${id}`),
      };
    } catch (error) {
      const faults = faultsOf(error);
      const nearest = await nearestToFaults(faults, { filter }, session);
      return {
        data: { count: null, isExact: false, sentence: null, people: [], warnings: [], faults, nearest },
        text: `The filter has ${plural(faults.length, 'fault')}: ${faults.map(sayFault).join(' ')}`.slice(0, 1000),
      };
    }
  },
});

const sayFault = ({ path, message }: { path: string; message: string }) => `${contract.sayFault(path, message)}.`;

const things = ['journeyId', 'emailId', 'messageId', 'dynamicListId', 'staticListId'] as const;

export const explain = tool({
  name: 'explain',
  title: 'Explain why',
  scopes: ['read'],
  description:
    'Why a contact is or is not in a list or a journey, or did or did not get an email: a sentence and its evidence. Name one contact and one thing. Example: {"email":"ada@example.com","journeyId":"019a8b2c4d5e6f708192a3d1"}',
  input: Type.Object({
    ...contactInput,
    journeyId: Type.Optional(Type.String()),
    emailId: Type.Optional(Type.String()),
    messageId: Type.Optional(Type.String()),
    dynamicListId: Type.Optional(Type.String()),
    staticListId: Type.Optional(Type.String()),
  }),
  output: shape({
    ...{ holds: 'boolean', sentence: 'string', about: 'object', contact: 'object', evidence: 'array', cut: 'string' },
  }),
  annotations: reads,
  run: async (given, session) => {
    if (things.filter((key) => given[key] !== undefined).length !== 1)
      throw invalid('journeyId', `must be given, or one other of: ${things.slice(1).join(', ')}`);
    const contact = await getContact(session, given);
    const { email: _email, ...asked } = given;
    const { data } = await session.api(contract.why, { query: { ...asked, contactId: contact.id } });
    return {
      data: { ...data },
      text: `${data.holds ? 'Yes' : 'No'}; sentence and evidence say why.`,
      touched: [`contact:${contact.id}`, `${data.about.kind}:${data.about.id}`],
      secrets: session.scopes.has('people') ? [] : await pastWords(session, contact),
    };
  },
});

/** What a person's properties say and said: evidence may be older than they are. */
async function pastWords({ api }: Session, contact: { id: string; properties: object }): Promise<string[]> {
  const { rows } = await api(contract.listContactChanges, { params: { id: contact.id }, query: { pageSize: 200 } });
  return [...wordsIn(contact.properties), ...wordsIn(rows.map(({ oldValue, newValue }) => [oldValue, newValue]))];
}
