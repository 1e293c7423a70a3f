// What becomes of a contact's state of a topic when somebody says something. Pure.
import type { ConsentSource, TopicState } from '@rapport/contract';

/** What was said last. */
export interface Standing {
  readonly state: TopicState;
  readonly source: ConsentSource;
  /** Of a pending one: how the contact had unsubscribed before. */
  readonly refusedBy: ConsentSource | null;
}

interface Wish {
  readonly state: TopicState;
  readonly source: ConsentSource;
}

/** `same`: it was said before. `kept`: who says so may not overrule what stands. */
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
  // A form that asks takes nothing away from who is subscribed.
  if (state === 'pending') return now.state === 'subscribed' ? 'kept' : 'changed';
  // Only the answer to the mail, or who vouches, ends what a form began.
  if (source === 'form' && now.state === 'pending') return 'kept';
  const refusedBy = refusalOf(now);
  return refusedBy !== null && heeds[source]?.(refusedBy) ? 'kept' : 'changed';
}

/** How the contact unsubscribed, as long as that stands: also while it is asked whether it changed its mind. */
function refusalOf(now: Standing | undefined): ConsentSource | null {
  return now?.state === 'unsubscribed' ? now.source : (now?.refusedBy ?? null);
}

/** What stands after a change. */
export function changed(now: Standing | undefined, { state, source }: Wish): Standing {
  return { state, source, refusedBy: state === 'pending' ? refusalOf(now) : null };
}
