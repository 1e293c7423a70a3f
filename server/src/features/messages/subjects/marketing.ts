// The condition `{"marketing": "opened", …}`: how often something happened to the mail that a contact got.

import { filterLimits, type MarketingEventName, marketingEventNames } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { selectLiveIds } from '../../emails/index.js';
import {
  countedKeys,
  type Fault,
  type Fields,
  placeOf,
  quote,
  readAssetId,
  readBoolean,
  readCounted,
  readKey,
  readOneOf,
  readText,
  refuseOthers,
  type Subject,
  sayCounted,
} from '../../filter-language/index.js';
import { countActivity, type Marketing } from './queries.js';

/** Whether the journey exists. Journeys are above messages and provide this in app.ts. */
export type JourneyCheck = (db: Runner, tenantId: number, journeyId: string) => Promise<boolean>;

export function marketingSubject(isJourney: JourneyCheck): Subject<Marketing> {
  return {
    key: 'marketing',
    also: ['journeyId'],
    read,
    say,
    reads: ({ what }) => marketingKeys(what),
    compile: countActivity,
    missing: (db, tenantId, spec, path) => findMissing(db, tenantId, spec, path, isJourney),
  };
}

/** The mark for a contact whose activity of this kind was added, changed or removed: see markChanged(). */
export function marketingKeys(eventName: MarketingEventName): readonly string[] {
  return [`marketing:${eventName}`];
}

const keys: readonly string[] = ['marketing', ...countedKeys, 'emailId', 'journeyId', 'linkUrl', 'machine'];

function read(fields: Fields, path: string): Marketing {
  const what = readOneOf(marketingEventNames)(fields.marketing, placeOf(path, 'marketing'));
  refuseOthers(fields, path, keys);
  return {
    what,
    ...readCounted(fields, path),
    emailId: readKey(fields, path, 'emailId', readAssetId('an email')),
    journeyId: readKey(fields, path, 'journeyId', readAssetId('a journey')),
    linkUrl: readKey(fields, path, 'linkUrl', (value, at) => readText(value, at, filterLimits.url)),
    machine: readKey(fields, path, 'machine', readBoolean) ?? false,
  };
}

async function findMissing(
  db: Runner,
  tenantId: number,
  { emailId, journeyId }: Marketing,
  path: string,
  isJourney: JourneyCheck,
): Promise<Fault[]> {
  const isThere = emailId === undefined || (await selectLiveIds(db, tenantId, [emailId])).has(emailId);
  const isKnown = journeyId === undefined || (await isJourney(db, tenantId, journeyId));
  return [
    ...(isThere ? [] : [{ path: placeOf(path, 'emailId'), words: 'there is no such email' }]),
    ...(isKnown ? [] : [{ path: placeOf(path, 'journeyId'), words: 'there is no such journey' }]),
  ];
}

/** The words before the email, for "happened" and for "never happened", and after it. */
const verbs: Readonly<Record<MarketingEventName, readonly [did: string, never: string, after?: string]>> = {
  sent: ['was sent', 'was never sent'],
  delivered: ['received', 'never received'],
  opened: ['opened', 'never opened'],
  clicked: ['clicked', 'never clicked'],
  bounced: ['had', 'never had', 'bounce'],
  unsubscribed: ['unsubscribed from', 'never unsubscribed from'],
  complained: ['complained about', 'never complained about'],
};

function say(spec: Marketing): string {
  const [did, never, after] = verbs[spec.what];
  const email = after === undefined ? sayEmail(spec) : `${sayEmail(spec)} ${after}`;
  return sayCounted(spec, `${did} ${email}`, `${never} ${email}`);
}

/** `a link in the email 019a8b2c4d5e6f7081920001`. */
function sayEmail({ what, emailId, journeyId, linkUrl, machine }: Marketing): string {
  const link = linkUrl === undefined ? '' : `the link ${quote(linkUrl)}`;
  const email = emailId === undefined ? 'an email' : `the email ${emailId}`;
  return [
    what === 'clicked' ? `${link || 'a link'} in ${email}` : email,
    ...(journeyId === undefined ? [] : [`of the journey ${journeyId}`]),
    ...(link && what !== 'clicked' ? [`through ${link}`] : []),
    ...(machine ? ['(machines count too)'] : []),
  ].join(' ');
}
