// The answer to a mail that asked. Looking at the link changes nothing: scanners follow every link.
import type { Database } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { type AddressHashes, holdTopics, type SetTopics, selectFormTopics } from '../../consent/index.js';
import { holdContact } from '../../contacts/index.js';
import { liftUnsubscribed } from '../../messages/index.js';
import type { Branding } from '../../tenants/index.js';
import type { Acknowledger } from '../../transactions/index.js';
import { submissionWrite } from '../submissions/applier.js';
import { type AskedSubmission, findAsked, lockAsked, markConfirmed } from './queries.js';

export interface ConfirmNeeds {
  db: Database;
  clock: Clock;
  acknowledger: Acknowledger;
  hashes: AddressHashes;
  setTopics: SetTopics;
}

/** `used`: it was confirmed before. `old`: the link does not hold any more. `gone`: the person was erased. */
type LinkState = 'open' | 'used' | 'old' | 'gone';

interface Asked {
  state: LinkState;
  email: string;
  /** Names. */
  topics: string[];
  branding: Branding | null;
}

/** Nothing for a message that asked nothing. */
export async function readAsked(
  { db, clock }: ConfirmNeeds,
  tenantId: number,
  messageId: string,
): Promise<Asked | undefined> {
  const asked = await findAsked(db, tenantId, messageId);
  if (!asked) return undefined;
  const topics = await selectFormTopics(db, tenantId, asked.topicIds);
  const names = asked.topicIds.flatMap((topicId) => topics.get(topicId)?.name ?? []);
  const { branding } = asked;
  return { state: stateOf(asked, clock.now()), email: asked.address ?? '', topics: names, branding };
}

function stateOf({ contactId, outcome, linkUntil }: AskedSubmission, now: Date): LinkState {
  if (contactId === null) return 'gone';
  if (outcome === 'confirmed') return 'used';
  return Date.parse(linkUntil) < now.getTime() ? 'old' : 'open';
}

/**
 * Subscribes, once, with the time and the words of the form in the log. Answers what the link was before. The contact is held first, as an
 * erasure does. What needs the tenant's lock follows by the queue.
 */
export function confirm(
  needs: ConfirmNeeds,
  tenantId: number,
  messageId: string,
): Promise<Pick<Asked, 'state' | 'branding'> | undefined> {
  const { db, clock, acknowledger, hashes, setTopics } = needs;
  return db.transaction(async (tx) => {
    const known = await findAsked(tx, tenantId, messageId);
    if (!known) return undefined;
    const { branding } = known;
    if (known.contactId === null || !(await holdContact(tx, tenantId, known.contactId)))
      return { state: 'gone', branding };
    const asked = await lockAsked(tx, tenantId, messageId);
    const now = clock.now();
    const state = asked ? stateOf(asked, now) : 'gone';
    if (!asked || state !== 'open' || asked.address === null || asked.contactId === null) return { state, branding };
    const { contactId, formId, text, at, address, submissionId } = asked;
    const there = await holdTopics(tx, tenantId, asked.topicIds);
    const since = now.toISOString();
    const said = { contactId, formId, text, at, since, state: 'subscribed', source: 'confirmation' } as const;
    const changes = asked.topicIds.filter((topicId) => there.has(topicId)).map((topicId) => ({ ...said, topicId }));
    await setTopics(tx, tenantId, changes, since);
    const hash = (await hashes.of(tx, tenantId))(address);
    await liftUnsubscribed(tx, acknowledger, tenantId, { email: address, hash });
    await markConfirmed(tx, tenantId, asked, since);
    await acknowledger.enqueue(tx, [submissionWrite(tenantId, 'confirmation', submissionId)]);
    return { state: 'open', branding };
  });
}
