// Who comes into question for a journey: members of a list, or contacts for whom what starts it came in the last 30 days.

import type { Runner } from '../../../db/database.js';
import { assertNever } from '../../../lib/assert-never.js';
import { becameSql } from '../../consent/index.js';
import { changedSql } from '../../contacts/index.js';
import { hasAllMembers, membersSql } from '../../dynamic-lists/index.js';
import { matchingSql, readFilter, type Subjects, sampleContacts } from '../../filter-language/index.js';
import type { Entry } from '../definition/definition.js';
import type { Json } from '../queries.js';
import { selectNear } from '../simulate/queries.js';
import { countSource, idsSql, type ReachMoment, type Source } from './queries.js';

/** Up to this many are all checked; with more, a random sample of about `sampled`. */
const mostCounted = 50_000;
const sampled = 10_000;

interface Candidates {
  /** Those who are looked at. */
  readonly source: Source;
  /** How many each of them stands for. */
  readonly weight: number;
  readonly isExact: boolean;
}

/** Nothing: who it will be cannot be known. */
export async function findCandidates(
  slow: Runner,
  tenantId: number,
  entry: Entry,
  json: Json,
  moment: ReachMoment,
  subjects: Subjects,
): Promise<Candidates | undefined> {
  switch (entry.kind) {
    case 'batch': {
      const found = await members(slow, tenantId, membersSql(tenantId, entry.audience));
      return { ...found, isExact: found.isExact && (await hasAllMembers(slow, tenantId, entry.audience)) };
    }
    case 'joined':
      return members(slow, tenantId, membersSql(tenantId, entry.list, moment.since));
    case 'event': {
      const filter = readFilter(eventFilter(json), subjects);
      return among(slow, tenantId, moment, (ids) => matchingSql(tenantId, filter, moment.exact, ids));
    }
    case 'property': {
      const { property: field, from, to } = entry;
      const change = { field, from, to, since: moment.since };
      return among(slow, tenantId, moment, (ids) => changedSql(tenantId, change, ids));
    }
    case 'topic': {
      const { topicId, becomes: state } = entry;
      return members(slow, tenantId, becameSql(tenantId, { topicId, state, since: moment.since }));
    }
    case 'left':
    case 'form':
    case 'date':
    case 'api':
      return undefined;
    default:
      return assertNever(entry);
  }
}

/** An event that starts a journey is told as one that a filter asks for: the words for it are the same. */
function eventFilter(json: Json): Json {
  const { eventName, where } = (json.entry as { event: { eventName: string; where?: Json } }).event;
  return { event: eventName, withinLast: 'P30D', ...(where === undefined ? {} : { where }) };
}

async function members(slow: Runner, tenantId: number, source: Source): Promise<Candidates> {
  const some = await countSource(slow, source, mostCounted + 1);
  if (some <= mostCounted) return { source, weight: 1, isExact: true };
  const total = await countSource(slow, source);
  // Points from all over the contacts, and the next member from each: a few lookups, however large a list is.
  const near = await selectNear(slow, source, await sampleContacts(slow, tenantId, sampled));
  return { source: idsSql(near), weight: total / Math.max(1, near.length), isExact: false };
}

async function among(
  slow: Runner,
  tenantId: number,
  { contacts }: ReachMoment,
  sourceOf: (ids?: readonly string[]) => Source,
): Promise<Candidates> {
  if (contacts <= mostCounted) return { source: sourceOf(), weight: 1, isExact: true };
  const chosen = await sampleContacts(slow, tenantId, sampled);
  return { source: sourceOf(chosen), weight: contacts / Math.max(1, chosen.length), isExact: false };
}
