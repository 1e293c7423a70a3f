// Effects of many enrolments in few statements, in the transaction that stores where they stand.
import { newMessageUuid } from '../../../lib/ids.js';
import { instantOf } from '../../../lib/instant.js';
import { type JourneyMessage, queueJourneyMessages } from '../../messages/index.js';
import type { Acknowledger } from '../../transactions/index.js';
import { enqueueCalls } from '../../webhooks/index.js';
import type { Effect, Note } from '../engine/types.js';
import { insertNews, type NewNews } from '../news/queries.js';
import type { TurnContext } from '../turn/context.js';
import type { EnrolmentInHand } from '../turn/enrolment.js';
import { type OwnEffect, writesOf } from './apply-effects.js';
import type { RenderBodies } from './render-bodies.js';

export interface CarryNeeds {
  /** There are messages to send. */
  wakeMessages(): void;
  acknowledger: Acknowledger;
  renderBodies: RenderBodies;
}

type Of<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;
interface Done<Kind extends Effect['kind']> {
  readonly by: EnrolmentInHand;
  readonly effect: Of<Kind>;
}

/** Lists were changed on the way, goals are told with the states. */
export async function carryOut(
  context: TurnContext,
  enrolments: readonly EnrolmentInHand[],
  needs: CarryNeeds,
): Promise<void> {
  const all = enrolments.flatMap((by) => (by.effects.length > 0 ? by.effects.map((effect) => ({ by, effect })) : []));
  if (all.length === 0) return;
  const of = <Kind extends Effect['kind']>(kind: Kind) =>
    all.filter((done): done is Done<Kind> & typeof done => done.effect.kind === kind);
  await queueMessages(context, of('message'), needs);
  await enqueueWrites(context, [...of('property'), ...of('event')], needs.acknowledger);
  await tellJourneys(
    context,
    all.filter(
      (done): done is Done<'journey' | 'leave'> & typeof done =>
        done.effect.kind === 'journey' || done.effect.kind === 'leave',
    ),
  );
  await callWebhooks(context, of('webhook'), needs);
}

async function queueMessages(
  context: TurnContext,
  queued: readonly Done<'message'>[],
  { wakeMessages }: CarryNeeds,
): Promise<void> {
  if (queued.length === 0) return;
  const { tx, tenantId, at } = context;
  const outcomes = await queueJourneyMessages(tx, tenantId, queued.map(messageOf), at);
  for (const [i, { by, effect }] of queued.entries()) {
    const { state, reason } = outcomes[i] ?? { state: 'queued', reason: null };
    if (state === 'queued' || effect.skipped) continue;
    noteNotSent(by, effect, state === 'skipped' ? (reason ?? state) : String(state));
  }
  tx.afterCommit(wakeMessages);
}

export function messageOf({ by, effect }: Done<'message'>): JourneyMessage {
  const { cap } = by.definition;
  const { words } = by.state;
  return {
    messageId: newMessageUuid(),
    kind: effect.isTransactional ? 'transactional' : 'journey',
    emailId: effect.emailId,
    contactId: by.contactId,
    journeyId: by.journey.journeyId,
    isBroadcast: by.journey.isBroadcast,
    runId: by.row.runId,
    enrolmentId: by.id,
    stepId: effect.stepId,
    visit: effect.visit,
    words: Object.keys(words).length === 0 ? null : (words as JourneyMessage['words']),
    arms: effect.arms ?? null,
    dueAt: instantOf(effect.dueAt),
    cap: cap ? { messages: cap.messages, perMs: cap.per.ms } : null,
    skipped: effect.skipped ?? null,
  };
}

/** The engine took it for queued: the ledger knows more. */
export function noteNotSent({ notes }: EnrolmentInHand, { visit }: Of<'message'>, reason: string): void {
  const index = notes.findIndex((note) => note.what === 'message' && note.visit === visit);
  const note = notes[index];
  if (note) notes[index] = { ...note, fact: { code: 'notSent', reason } };
}

async function enqueueWrites(
  { tx, tenantId }: TurnContext,
  effects: readonly (Done<'property'> | Done<'event'>)[],
  acknowledger: Acknowledger,
): Promise<void> {
  const own = effects.map(({ by, effect }): OwnEffect => {
    const whose = { enrolmentId: by.id, journeyNo: by.journey.journeyNo, contactId: by.contactId };
    return effect.kind === 'event'
      ? { ...whose, ...effect, chain: by.state.chain + 1 }
      : { ...whose, ...effect, cause: by.cause };
  });
  await acknowledger.enqueue(tx, writesOf(tenantId, own));
}

type ForJourney = Of<'journey' | 'leave'>;

/** What steps do to other journeys: those hear of it in the order of the steps, and do it in turns of their own. */
async function tellJourneys(context: TurnContext, effects: readonly Done<'journey' | 'leave'>[]): Promise<void> {
  const byId = new Map([...context.journeys.values()].map((journey) => [journey.journeyId, journey]));
  const news = effects.flatMap(({ by, effect }): NewNews[] => {
    const target = byId.get(effect.journeyId);
    if (!target?.isActive || (effect.kind === 'journey' && target.type !== 'trigger')) {
      by.notes.push(inVain(effect, context.now));
      return [];
    }
    const { kind, journeyId: _, ...rest } = effect;
    const data = JSON.stringify({ ...rest, fromEnrolment: by.id, fromJourney: by.journey.journeyId });
    const told = kind === 'journey' ? 'started' : 'takenOut';
    return [{ journeyNo: target.journeyNo, kind: told, contactId: by.contactId, at: context.at, data }];
  });
  await insertNews(context.tx, context.tenantId, news);
}

export function inVain({ kind, journeyId }: ForJourney, now: number): Note {
  return {
    at: now,
    what: 'event',
    fact: { code: kind === 'journey' ? 'journeyNotStarted' : 'notInJourney', journeyId },
  };
}

/** A body that cannot be rendered is a call that was given up. */
async function callWebhooks(
  context: TurnContext,
  called: readonly Done<'webhook'>[],
  { renderBodies }: CarryNeeds,
): Promise<void> {
  if (called.length === 0) return;
  const { tx, tenantId, at } = context;
  const bodies = await renderBodies(tenantId, called);
  const calls = called.flatMap(({ by, effect }, i) => {
    const step = by.definition.steps.find(({ id }) => id === effect.stepId);
    const body = bodies[i];
    if (step?.type !== 'webhook' || !body?.ok) return [];
    const { method, url, headers, timeoutMs } = step;
    const whose = { enrolmentId: by.id, journeyNo: by.journey.journeyNo, contactId: by.contactId };
    const { stepId, visit } = effect;
    return [
      { deliveryId: newMessageUuid(), ...whose, stepId, visit, method, url, headers, timeoutMs, body: body.text },
    ];
  });
  const failed = called.flatMap(({ by, effect }, i): NewNews[] => {
    const body = bodies[i];
    if (!body || body.ok) return [];
    const data = JSON.stringify({ visit: effect.visit, answer: { ok: false, why: body.why } });
    const { id: enrolmentId, contactId } = by;
    return [{ journeyNo: by.journey.journeyNo, kind: 'answered', contactId, enrolmentId, at, data }];
  });
  await enqueueCalls(tx, tenantId, calls);
  await insertNews(tx, tenantId, failed);
}
