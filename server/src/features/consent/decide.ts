// What becomes of a contact's state for a topic when a change is asked for. Pure.
import type { ConsentSource, TopicState } from '@rapport/contract';

/** The last change. */
export interface Standing {
  readonly state: TopicState;
  readonly source: ConsentSource;
  /** Of a pending one: how the contact had unsubscribed before. Of an unsubscribed one: the person said so on their own, too. */
  readonly refusedBy: ConsentSource | null;
}

interface Wish {
  readonly state: TopicState;
  readonly source: ConsentSource;
}

/** `same`: the contact has that state already. `kept`: this source may not overrule it. */
export type Verdict = 'changed' | 'same' | 'kept';

/** What a person said on a page or by one-click: a journey does not overrule it. */
const ownWords: readonly ConsentSource[] = ['page', 'oneClick'];

/** Which unsubscriptions a source may not turn into `subscribed`. Those that are not named may turn all: the caller vouches. */
const heeds: Partial<Record<ConsentSource, (refusedBy: ConsentSource) => boolean>> = {
  import: () => true,
  form: () => true,
  journey: (refusedBy) => ownWords.includes(refusedBy),
};

export function decide(now: Standing | undefined, { state, source }: Wish): Verdict {
  if (now?.state === state) return 'same';
  if (!now || state === 'unsubscribed') return 'changed';
  // A form with double opt-in takes nothing away from a subscribed contact.
  if (state === 'pending') return now.state === 'subscribed' ? 'kept' : 'changed';
  // Only the answer to the mail, or a caller that vouches, ends what a form began.
  if (source === 'form' && now.state === 'pending') return 'kept';
  const refusedBy = refusalOf(now);
  return refusedBy !== null && heeds[source]?.(refusedBy) ? 'kept' : 'changed';
}

/** How the contact unsubscribed, as long as that holds: also while a mail asks whether it changed its mind. */
function refusalOf(now: Standing | undefined): ConsentSource | null {
  return now?.refusedBy ?? (now?.state === 'unsubscribed' ? now.source : null);
}

const isOwn = (source: ConsentSource | null) => source !== null && ownWords.includes(source);

/** The state after a change. */
export function changed(now: Standing | undefined, { state, source }: Wish): Standing {
  const before = refusalOf(now);
  // Unsubscribing a person who did so on their own makes it no less their own word.
  const isKept = state === 'pending' || (state === 'unsubscribed' && isOwn(before) && !isOwn(source));
  return { state, source, refusedBy: isKept ? before : null };
}

/** What a person says on their own, after it was said for them, is no change; but from then on it is their own word. */
export function confirmedBy(now: Standing | undefined, { state, source }: Wish): Standing | undefined {
  if (now?.state !== 'unsubscribed' || state !== 'unsubscribed') return undefined;
  return isOwn(source) && !isOwn(refusalOf(now)) ? { ...now, refusedBy: source } : undefined;
}
