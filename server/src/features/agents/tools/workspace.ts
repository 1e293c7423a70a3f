// What there is: the words that a filter or a journey can use, and a search over everything with a name.
import * as contract from '@rapport/contract';
import { Type } from 'typebox';
import { pageData, pagingInput, type Range, rangeOf, readRange } from '../paging.js';
import { pageShape, reads, type Session, shape, tool } from '../tool.js';
import { plural, shownContact } from './people.js';

const pageSize = 50;

export const describeWorkspace = tool({
  name: 'describe_workspace',
  title: 'Describe the workspace',
  scopes: ['read'],
  description:
    'What a filter or a journey may speak of: properties of contacts, of their product users and of organizations with types and examples, event names with counts, topics, lists with sizes, sending domains, and what needs attention. Call it first. Example: {}',
  input: Type.Object({
    search: Type.Optional(
      Type.String({ maxLength: 255, description: 'only properties, events, topics and lists with this in their name' }),
    ),
  }),
  output: shape({
    ...{ workspace: 'object', properties: 'array', userProperties: 'array', orgProperties: 'array' },
    ...{ events: 'array', topics: 'array', lists: 'array' },
    ...{ sendingDomains: 'array', sending: 'object', health: 'object', cut: 'string' },
  }),
  annotations: reads,
  run: async ({ search: part }, session) => {
    const { api } = session;
    const query = { search: part, pageSize };
    const propertiesOf = (of: contract.PropertyOwner) => api(contract.listProperties, { query: { of, ...query } });
    const [properties, ofUsers, ofOrganizations] = await Promise.all([
      propertiesOf('contact'),
      propertiesOf('user'),
      propertiesOf('organization'),
    ]);
    const [me, events, topics, lists, sizes, domains, sending, health] = await Promise.all([
      api(contract.getMe),
      api(contract.listEventNames, { query }),
      api(contract.listTopics, { query }),
      api(contract.listLists, { query }),
      api(contract.listDynamicListStates, { query: { pageSize: 200 } }),
      api(contract.listWorkspaceDomains, { query: { pageSize } }),
      api(contract.getSending),
      api(contract.getWorkspaceHealth),
    ]);
    const sizeOf = new Map(sizes.rows.map(({ dynamicListId, memberCount }) => [dynamicListId, memberCount]));
    const data = {
      workspace: { ...me.data.workspace, role: me.data.account.role },
      properties: properties.rows.map(shownProperty),
      userProperties: ofUsers.rows.map(shownProperty),
      orgProperties: ofOrganizations.rows.map(shownProperty),
      events: events.rows.map(({ eventName, total, lastSeenAt }) => ({ eventName, total, lastSeenAt })),
      topics: topics.rows.map(({ topicId, key, name, byDefault, subscribed }) => ({
        ...{ topicId, key, name, byDefault, subscribed },
      })),
      lists: lists.rows.map((row) =>
        row.type === 'static'
          ? { type: 'static', staticListId: row.staticListId, name: row.name, numRecords: row.numRecords }
          : {
              ...{ type: 'dynamic', dynamicListId: row.dynamicListId, name: row.name },
              memberCount: sizeOf.get(row.dynamicListId ?? '') ?? null,
            },
      ),
      sendingDomains: domains.rows.map(({ domain, status }) => ({ domain, status })),
      sending: { state: sending.data.state, reason: sending.data.reason },
      health: { attention: health.data.attention.map(({ kind, count, text }) => ({ kind, count, text })) },
    };
    const more = [
      ...(properties.total > pageSize ? [`${properties.total} properties`] : []),
      ...(ofUsers.total > pageSize ? [`${ofUsers.total} properties of product users`] : []),
      ...(ofOrganizations.total > pageSize ? [`${ofOrganizations.total} properties of organizations`] : []),
      ...(events.total > pageSize ? [`${events.total} event names`] : []),
      ...(topics.total > pageSize ? [`${topics.total} topics`] : []),
      ...(lists.total > pageSize ? [`${lists.total} lists`] : []),
    ];
    const rest = 'Call again with search, a part of a name.';
    return {
      data:
        more.length === 0
          ? data
          : {
              ...data,
              cut: `There are ${more.join(', ')}; each shows its first ${pageSize}. ${rest}`,
            },
      text: `${plural(properties.total, 'property', 'properties')}, ${plural(events.total, 'event name')}, ${plural(topics.total, 'topic')} and ${plural(lists.total, 'list')}.`,
      rest,
    };
  },
});

type Property = contract.DataValue<typeof contract.listProperties>;

// Fifty properties with five long ones each would not fit.
const mostExamples = 3;

const shownProperty = ({ examples, ...property }: Property) => ({
  ...property,
  examples: examples.slice(0, mostExamples),
});

const kinds = ['contacts', 'organizations', 'lists', 'journeys', 'emails'] as const;
type Kind = (typeof kinds)[number];
type Found = { rows: Record<string, unknown>[]; total: number };

const readers: Readonly<Record<Kind, (session: Session, search: string, range: Range) => Promise<Found>>> = {
  contacts: ({ api }, search, range) =>
    found(
      range,
      (page) => api(contract.listContacts, { query: { search, ...page } }),
      (row) => {
        const { contactId, email, firstName, lastName } = shownContact(row);
        return { kind: 'contact', contactId, email, firstName, lastName };
      },
    ),
  organizations: ({ api }, search, range) =>
    found(
      range,
      (page) => api(contract.listOrganizations, { query: { search, ...page } }),
      ({ orgId, name }) => ({
        ...{ kind: 'organization', orgId, name },
      }),
    ),
  lists: ({ api }, search, range) =>
    found(
      range,
      (page) => api(contract.listLists, { query: { search, ...page } }),
      (row) =>
        row.type === 'static'
          ? { kind: 'list', staticListId: row.staticListId, name: row.name }
          : { kind: 'list', dynamicListId: row.dynamicListId, name: row.name },
    ),
  journeys: ({ api }, search, range) =>
    found(
      range,
      (page) => api(contract.listJourneys, { query: { search, ...page } }),
      ({ journeyId, name, type, status }) => ({
        ...{ kind: 'journey', journeyId, name, type, status },
      }),
    ),
  emails: ({ api }, search, range) =>
    found(
      range,
      (page) => api(contract.listEmails, { query: { search, ...page } }),
      ({ emailId, name, subject }) => ({
        ...{ kind: 'email', emailId, name, subject },
      }),
    ),
};

async function found<T>(
  range: Range,
  read: (page: { pageNumber: number; pageSize: number }) => Promise<{ rows: T[]; total: number }>,
  show: (row: T) => Record<string, unknown>,
): Promise<Found> {
  const { rows, total } = await readRange(range, read);
  return { rows: rows.map(show), total };
}

export const search = tool({
  name: 'search',
  title: 'Search by words',
  scopes: ['read'],
  description:
    'Finds contacts (only with the scope people), organizations, lists, journeys and emails by a part of their name or address. Example: {"query":"welcome","kinds":["journeys","emails"]}',
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: 255, trim: true }),
    kinds: Type.Optional(Type.Array(Type.Enum([...kinds]), { description: 'all by default' })),
    ...pagingInput,
  }),
  output: pageShape,
  annotations: reads,
  run: async ({ query, kinds: wanted = [...kinds], ...paging }, session) => {
    const range = rangeOf(paging);
    const items: Record<string, unknown>[] = [];
    let total = 0;
    const mayRead = kinds.filter(
      (kind) => wanted.includes(kind) && (kind !== 'contacts' || session.scopes.has('people')),
    );
    // One after the other: where one kind ends, the next begins.
    for (const kind of mayRead) {
      const offset = Math.max(0, range.offset - total);
      const part = await readers[kind](session, query, { offset, limit: range.limit });
      total += part.total;
      items.push(...part.rows.slice(0, range.limit - items.length));
    }
    const left = wanted.includes('contacts') && !session.scopes.has('people');
    return {
      data: {
        ...pageData(range, items, total),
        ...(left ? { note: 'Contacts are searched only with the scope people.' } : {}),
      },
      text: `${plural(total, 'match', 'matches')}.${left ? ' Contacts are searched only with the scope people.' : ''}`,
      touched: items.flatMap(touchedBy),
    };
  },
});

/** As the audit log names what was found. */
function touchedBy(item: Record<string, unknown>): string[] {
  const [key] = Object.keys(item).filter((name) => name.endsWith('Id'));
  return key === undefined ? [] : [`${key.slice(0, -2)}:${item[key]}`];
}
