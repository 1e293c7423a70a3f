import { why as route } from '@rapport/contract';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { assertNever } from '../../lib/assert-never.js';
import { isAssetId } from '../../lib/ids.js';
import { selectDynamicNames } from '../dynamic-lists/index.js';
import { getEmailName, selectEmailNames } from '../emails/index.js';
import { selectJourneyNames } from '../journeys/index.js';
import { selectListNames } from '../lists/index.js';
import { getMessage } from '../messages/index.js';
import { timeZoneOf } from '../tenants/index.js';
import { aboutEmail } from './about-email.js';
import { aboutJourney } from './about-journey.js';
import { aboutDynamicList, aboutStaticList } from './about-list.js';
import { aboutMessage } from './about-message.js';
import {
  type Case,
  type Finding,
  getPerson,
  readThing,
  refuseUnclear,
  type Thing,
  type WhyAnswer,
  type WhyNeeds,
} from './asked.js';
import { wordsIn } from './words.js';

export function whyEndpoints(needs: WhyNeeds): Endpoint[] {
  const { db, clock } = needs;
  return [
    endpoint(route, async ({ caller: { tenantId }, query }) => {
      const thing = readThing(query);
      refuseUnclear(query);
      // The thing first, then the contact, as explanations do.
      const name = await nameOf(needs, tenantId, thing);
      const person = await getPerson(db, tenantId, query);
      const words = wordsIn(await timeZoneOf(db, tenantId), clock.now());
      const one: Case = { db: db.slow(tenantId), tenantId, person, words };
      const { holds, sentence, evidence } = await find(needs, one, thing, name);
      const data: WhyAnswer = { holds, sentence, about: { ...thing, name }, contact: person, evidence };
      return { data };
    }),
  ];
}

/** A 404 for what does not exist. Null if the name is no longer known. */
async function nameOf({ db }: WhyNeeds, tenantId: number, { kind, id }: Thing): Promise<string | null> {
  switch (kind) {
    case 'email':
      return getEmailName(db, tenantId, id);
    case 'message': {
      const { subject, emailId } = await getMessage(db, tenantId, id);
      return subject ?? (await selectEmailNames(db, tenantId, [emailId])).get(emailId) ?? null;
    }
    case 'journey':
      return named(id, 'journey', (ids) => selectJourneyNames(db, tenantId, ids));
    case 'dynamicList':
      return named(id, 'dynamic list', (ids) => selectDynamicNames(db, tenantId, ids));
    case 'staticList':
      return named(id, 'static list', (ids) => selectListNames(db, tenantId, ids));
    default:
      return assertNever(kind);
  }
}

async function named(
  id: string,
  what: string,
  namesOf: (ids: string[]) => Promise<Map<string, string>>,
): Promise<string> {
  const name = isAssetId(id) ? (await namesOf([id])).get(id) : undefined;
  if (name === undefined) throw notFound(what);
  return name;
}

async function find(needs: WhyNeeds, one: Case, { kind, id }: Thing, known: string | null): Promise<Finding> {
  const { tenantId, person } = one;
  const name = known ?? id;
  const explainJourney = (journeyId: string) => needs.explainJourney(tenantId, journeyId, person.contactId);
  const explainList = (listId: string) => needs.explainList(tenantId, listId, person.contactId);
  switch (kind) {
    case 'email':
      return aboutEmail(one, { id, name }, explainJourney);
    case 'message':
      return aboutMessage(one, await getMessage(one.db, tenantId, id), known);
    case 'journey':
      return aboutJourney(one, { id, name }, await explainJourney(id), explainList);
    case 'dynamicList':
      return aboutDynamicList(one, { id, name }, await explainList(id));
    case 'staticList':
      return aboutStaticList(one, { id, name });
    default:
      return assertNever(kind);
  }
}
