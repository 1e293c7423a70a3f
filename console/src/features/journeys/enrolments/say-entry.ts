// A line of a timeline in plain words, with names instead of ids. Pure.
import { type TimelineFact, tellFact } from '@rapport/contract';
import { sayDuration } from '../../../shared/duration.ts';
import { reasons, t } from '../../../texts/journey-timeline.ts';

interface TimelineLine {
  what: string;
  stepId?: string | undefined;
  detail?: string | undefined;
  fact?: TimelineFact | undefined;
}

/** Texts, and times that are shown as such. */
type Told = readonly (string | { readonly moment: string })[];

/** `names` maps lists and journeys to their names. An entry without a fact, or with an unknown one, uses the API's own text. */
export function tellDetail(
  { fact, detail }: Omit<TimelineLine, 'what'>,
  names: (id: string) => string | undefined,
): Told {
  const parts = fact && (ourWords(fact) ?? tellFact(fact));
  return (parts ?? [detail ?? ''])
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'id' in part ? (names(part.id) ?? part.id) : { moment: new Date(part.time).toISOString() };
    })
    .filter((part) => part !== '');
}

/** Where the API says more than most people want to know. */
function ourWords(fact: TimelineFact): string[] | undefined {
  switch (fact.code) {
    case 'caseTaken':
    case 'filterTaken':
      return [capital(fact.filter)];
    case 'eventTaken':
      return [t.event(fact.eventName)];
    case 'noCase':
      return [t.otherwise];
    case 'timedOut':
      return [t.timeout(sayDuration(fact.timeout))];
    case 'armTaken':
      return [t.arm(fact.arm)];
    case 'armWon':
      return [(fact.isSignificant ? t.winner : t.narrowWinner)(fact.arm)];
    case 'queued':
      return fact.until === undefined ? [] : undefined;
    case 'inRun':
      return [t.run];
    case 'ended':
      return [
        Object.hasOwn(reasons, fact.reason) ? (reasons[fact.reason] ?? '') : fact.reason,
        ...(fact.why ? [` ${fact.why}`] : []),
      ];
    default:
      return undefined;
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Reaching a step and what it does are one thing to people. */
export function withoutEchoes<Line extends TimelineLine>(facts: readonly Line[]): Line[] {
  return facts.filter((fact, at) => {
    const next = facts[at + 1];
    return (
      fact.what !== 'step' || fact.detail !== undefined || !next || next.what === 'step' || next.stepId !== fact.stepId
    );
  });
}

/** The message that each line is about, by index: messages of one step are in order. */
export function messagesOf(
  facts: readonly TimelineLine[],
  messages: readonly { messageId: string; stepId: string | null; queuedAt: string }[],
): ReadonlyMap<number, string> {
  const waiting = new Map<string, string[]>();
  for (const { messageId, stepId } of messages.toSorted((a, b) => Date.parse(a.queuedAt) - Date.parse(b.queuedAt)))
    if (stepId !== null) waiting.set(stepId, [...(waiting.get(stepId) ?? []), messageId]);
  const found = new Map<number, string>();
  // From the end: of a long timeline only the newest lines are included.
  for (let at = facts.length - 1; at >= 0; at--) {
    const fact = facts[at];
    const messageId = fact?.what === 'message' && fact.stepId ? waiting.get(fact.stepId)?.pop() : undefined;
    if (messageId !== undefined) found.set(at, messageId);
  }
  return found;
}
