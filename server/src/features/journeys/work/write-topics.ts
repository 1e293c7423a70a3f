// What steps make of contacts and topics: in bulk, in the turn itself, so that later steps see it.
import type { SetTopics, TopicVerdict } from '../../consent/index.js';
import { holdContactIds } from '../../contacts/index.js';
import type { TurnContext } from '../turn/context.js';
import type { TopicWrite } from './rounds.js';

/** The topics are there: an active journey keeps those that it names. */
export async function writeTopics(
  { tx, tenantId, at }: Pick<TurnContext, 'tx' | 'tenantId' | 'at'>,
  writes: readonly TopicWrite[],
  setTopics: SetTopics,
): Promise<void> {
  // Erased since the turn began: the eraser has ended their enrolments.
  const held = await holdContactIds(
    tx,
    tenantId,
    writes.map(({ by }) => by.contactId),
  );
  const own = writes.filter(({ by }) => held.has(by.contactId));
  const changes = own.map(({ by: { contactId, cause }, effect: { topicId, state } }) => ({
    ...{ contactId, topicId, state, source: 'journey' as const, cause },
  }));
  const verdicts = await setTopics(tx, tenantId, changes, at);
  for (const [i, write] of own.entries()) noteTopic(write, verdicts[i] ?? 'changed');
}

/** The engine took it for changed: consent knows more. */
export function noteTopic(
  { by: { notes }, effect: { visit, topicId, state } }: TopicWrite,
  verdict: TopicVerdict,
): void {
  if (verdict === 'changed') return;
  const index = notes.findIndex((note) => note.fact?.code === 'topicSet' && note.visit === visit);
  const note = notes[index];
  if (!note) return;
  const fact =
    verdict === 'kept' ? ({ code: 'topicKept', topicId } as const) : ({ code: 'topicSame', topicId, state } as const);
  notes[index] = { ...note, fact };
}
