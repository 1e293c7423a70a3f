// A line of a timeline in people's words. The service tells facts in sentences of its own (`Case 1 of 2: …`, `Arm "B" (bucket 58 of 100).`), which are
// for programs and for those who look closely: journeys.md. What is not known here is shown as it came. Pure.
import { t } from '../../../texts/journey-timeline.ts';
import { sayDuration } from '../model/duration.ts';

interface TimelineFact {
  what: string;
  stepId?: string | undefined;
  detail?: string | undefined;
}

/** Texts, and moments that are shown as such. */
type Told = readonly (string | { readonly moment: string })[];

const instant = String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)`;
// Undefined: it only looked like ours.
const ours: readonly [RegExp, (...parts: string[]) => string | undefined][] = [
  [/^(?:Case|Branch) \d+ of \d+: (.*)$/s, (what) => capital(what)],
  [/^No case holds: otherwise\.$/, () => t.otherwise],
  [/^Nothing came within (\S+): timeout\.$/, (within) => t.timeout(sayDuration(within))],
  [/^Arm ("(?:[^"\\]|\\.)*") \(bucket \d+ of 100\)\.$/, (name) => ofArm(name, t.arm)],
  [/^Arm ("(?:[^"\\]|\\.)*"), which won\.$/, (name) => ofArm(name, t.winner)],
  [
    /^Arm ("(?:[^"\\]|\\.)*"), which won, though the difference was not significant\.$/,
    (name) => ofArm(name, t.narrowWinner),
  ],
  [/^Queued\.$/, () => ''],
  [/^Run (\S+)\.$/, () => t.run],
  [/^Reason: (.*)\.$/s, (reason) => (Object.hasOwn(t.reasons, reason) ? t.reasons[reason] : reason)],
];

/** `names` gives lists, emails and journeys their names, which sentences of the service call by ids. */
export function tellDetail(detail: string | undefined, names: (id: string) => string | undefined): Told {
  if (detail === undefined) return [];
  const said = inOurWords(detail).replace(/\b[0-9a-f]{24}\b/g, (id) => names(id) ?? id);
  // Of a text that is split by a group, every second part is the group.
  return said
    .split(new RegExp(instant))
    .map((part, at) => (at % 2 === 1 && !Number.isNaN(Date.parse(part)) ? { moment: part } : part))
    .filter((part) => part !== '');
}

function inOurWords(detail: string): string {
  for (const [form, say] of ours) {
    const match = form.exec(detail);
    const said = match && say(...match.slice(1));
    if (typeof said === 'string') return said;
  }
  return detail;
}

function ofArm(name: string, say: (name: string) => string): string | undefined {
  try {
    return say(JSON.parse(name));
  } catch {
    return undefined;
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Coming to a step and what it does are one thing to whoever reads. */
export function withoutEchoes<Fact extends TimelineFact>(facts: readonly Fact[]): Fact[] {
  return facts.filter((fact, at) => {
    const next = facts[at + 1];
    return (
      fact.what !== 'step' || fact.detail !== undefined || !next || next.what === 'step' || next.stepId !== fact.stepId
    );
  });
}

/** The message that each line is about, by its place: those of one step stand in their order. */
export function messagesOf(
  facts: readonly TimelineFact[],
  messages: readonly { messageId: string; stepId: string | null; queuedAt: string }[],
): ReadonlyMap<number, string> {
  const waiting = new Map<string, string[]>();
  for (const { messageId, stepId } of messages.toSorted((a, b) => Date.parse(a.queuedAt) - Date.parse(b.queuedAt)))
    if (stepId !== null) waiting.set(stepId, [...(waiting.get(stepId) ?? []), messageId]);
  const found = new Map<number, string>();
  // From the end: of a long timeline only the newest lines are told.
  for (let at = facts.length - 1; at >= 0; at--) {
    const fact = facts[at];
    const messageId = fact?.what === 'message' && fact.stepId ? waiting.get(fact.stepId)?.pop() : undefined;
    if (messageId !== undefined) found.set(at, messageId);
  }
  return found;
}
