// GET …/reach: the contacts that a journey would reach if it were activated now, those it leaves out, and why.

import { suppressionReasons } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { notFound } from '../../../http/api-error.js';
import { isAssetId } from '../../../lib/ids.js';
import { selectTopicNames } from '../../consent/index.js';
import { selectDynamicNames } from '../../dynamic-lists/index.js';
import { selectTopicsOf } from '../../emails/index.js';
import { FilterFaults } from '../../filter-language/index.js';
import { selectListNames } from '../../lists/index.js';
import type { Authoring } from '../authoring.js';
import type { Audience, Definition, Entry, Step } from '../definition/definition.js';
import { readDefinition } from '../definition/read.js';
import { findJourney, type HeldJourney } from '../queries.js';
import { findCandidates } from './candidates.js';
import { countFates, type Fate, readReachMoment } from './queries.js';
import { type Counts, type Reach, sayIncomplete, sayLeftOut, sayReach, sayUnknown } from './say-reach.js';

const unknown = {
  basis: 'unknown',
  isExact: false,
  audience: null,
  enters: null,
  getsMail: null,
  leftOut: [],
} as const;
/** In the order in which they are told. */
const mailReasons = ['holdout', ...suppressionReasons, 'topic'] as const;

export async function reachJourney(authoring: Authoring, tenantId: number, journey: HeldJourney): Promise<Reach> {
  const { definition: json, journeyNo, journeyId } = journey;
  const definition = readSaved(journey, authoring);
  if (!definition || json === null) return { ...unknown, leftOut: [], text: sayIncomplete(json !== null) };
  const { entry, reentry, holdout } = definition;
  return authoring.db.slowly(tenantId, async (slow) => {
    const moment = await readReachMoment(slow, tenantId);
    const found = await findCandidates(slow, tenantId, entry, json, moment, authoring.subjects);
    if (!found) return { ...unknown, leftOut: [], text: sayUnknown(entry) };
    const topicIds = await topicsOf(slow, tenantId, sendsOf(definition));
    const terms = { journeyNo, journeyId, reentry, holdout, topicIds };
    const fates = await countFates(slow, tenantId, found.source, terms, moment.exact);
    const names = [...(await selectTopicNames(slow, tenantId, topicIds)).values()];
    const counts = countsOf(fates, found.weight, sendsOf(definition), names);
    const basis = entry.kind === 'batch' ? 'audience' : 'last30Days';
    const listName = await nameOf(slow, tenantId, listOf(entry));
    return { basis, isExact: found.isExact, ...counts, text: sayReach(entry, counts, listName, found.isExact) };
  });
}

/** With a definition that is not saved in it. */
export async function reachOfDraft(
  authoring: Authoring,
  tenantId: number,
  id: string,
  definition: NonNullable<HeldJourney['definition']>,
): Promise<Reach> {
  const journey = isAssetId(id) ? await findJourney(authoring.db, tenantId, id) : undefined;
  if (!journey) throw notFound('journey');
  return reachJourney(authoring, tenantId, { ...journey, definition });
}

/** Nothing for one that is not complete. */
function readSaved({ definition, type }: HeldJourney, { subjects }: Authoring): Definition | undefined {
  if (definition === null) return undefined;
  try {
    return readDefinition(definition, type, subjects);
  } catch (error) {
    if (error instanceof FilterFaults) return undefined;
    throw error;
  }
}

type SendStep = Extract<Step, { type: 'sendEmail' }>;

function sendsOf({ steps }: Definition): SendStep[] {
  return steps.filter((step): step is SendStep => step.type === 'sendEmail');
}

/** The topics that all mail of the journey is about; none where some of it leaves whatever the topics say. */
async function topicsOf(slow: Runner, tenantId: number, sends: readonly SendStep[]): Promise<string[]> {
  const topicOf = await selectTopicsOf(
    slow,
    tenantId,
    sends.map(({ emailId }) => emailId),
  );
  const passes = ({ transactional, emailId }: SendStep) => transactional || !topicOf.has(emailId);
  return sends.some(passes) ? [] : [...new Set(topicOf.values())];
}

function countsOf(
  fates: ReadonlyMap<Fate, number>,
  weight: number,
  sends: readonly SendStep[],
  topics: readonly string[],
): Counts {
  const counted = (fate: Fate) => Math.round((fates.get(fate) ?? 0) * weight);
  // Transactional mail goes to those who unsubscribed, too.
  const passes = (fate: Fate) => fate === 'unsubscribed' && sends.some(({ transactional }) => transactional);
  const withoutMail = sends.length === 0 ? [] : mailReasons.filter((reason) => counted(reason) > 0 && !passes(reason));
  const enters = [...mailReasons, 'none' as const].reduce((sum, fate) => sum + counted(fate), 0);
  const refused = counted('reentry');
  return {
    audience: enters + refused,
    enters,
    getsMail: sends.length === 0 ? null : enters - withoutMail.reduce((sum, reason) => sum + counted(reason), 0),
    leftOut: [
      ...(refused > 0 ? [sayLeftOut('journey', 'reentry', refused)] : []),
      ...withoutMail.map((reason) => sayLeftOut('mail', reason, counted(reason), topics)),
    ],
  };
}

function listOf(entry: Entry): Audience | undefined {
  if (entry.kind === 'batch') return entry.audience;
  return entry.kind === 'joined' ? entry.list : undefined;
}

async function nameOf(slow: Runner, tenantId: number, list: Audience | undefined): Promise<string | undefined> {
  if (list === undefined) return undefined;
  return 'staticListId' in list
    ? (await selectListNames(slow, tenantId, [list.staticListId])).get(list.staticListId)
    : (await selectDynamicNames(slow, tenantId, [list.dynamicListId])).get(list.dynamicListId);
}
