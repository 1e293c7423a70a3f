// The timeline of an enrolment, in the shared timeline component.
import type { ReactNode } from 'react';
import {
  BranchIcon,
  CheckIcon,
  ClockIcon,
  EventIcon,
  ExitIcon,
  HookIcon,
  JourneyIcon,
  ListIcon,
  MailIcon,
  PlayIcon,
  SplitIcon,
  TagIcon,
  TargetIcon,
} from '../../../shared/icons.tsx';
import { messageHref } from '../../../shared/messages/message-columns.tsx';
import { ClockMoment } from '../../../shared/moment.tsx';
import type { TimelineItem } from '../../../shared/timeline/timeline.tsx';
import { t } from '../../../texts/journeys.ts';
import type { Tone } from '../../../theme/tone.ts';
import type { EnrolmentRecord } from './enrolment-columns.tsx';
import { messagesOf, tellDetail, withoutEchoes } from './say-entry.ts';

type Entry = EnrolmentRecord['timeline'][number];

const looks: Record<Entry['what'], { icon: ReactNode; tone: Tone }> = {
  entered: { icon: <PlayIcon size={14} />, tone: 'info' },
  step: { icon: <JourneyIcon size={14} />, tone: 'quiet' },
  waiting: { icon: <ClockIcon size={14} />, tone: 'warn' },
  branch: { icon: <BranchIcon size={14} />, tone: 'quiet' },
  split: { icon: <SplitIcon size={14} />, tone: 'quiet' },
  message: { icon: <MailIcon size={14} />, tone: 'info' },
  webhook: { icon: <HookIcon size={14} />, tone: 'quiet' },
  property: { icon: <TagIcon size={14} />, tone: 'quiet' },
  list: { icon: <ListIcon size={14} />, tone: 'quiet' },
  event: { icon: <EventIcon size={14} />, tone: 'info' },
  goal: { icon: <TargetIcon size={14} />, tone: 'good' },
  moved: { icon: <JourneyIcon size={14} />, tone: 'quiet' },
  completed: { icon: <CheckIcon size={14} />, tone: 'good' },
  exited: { icon: <ExitIcon size={14} />, tone: 'quiet' },
};

interface Told {
  /** The steps of the contact's version. */
  steps: ReadonlyMap<string, string>;
  nameOf: (id: string) => string | undefined;
  messages: readonly { messageId: string; stepId: string | null; queuedAt: string }[];
}

// What happens to a contact; the others are what a step does, and the step describes that best.
const ofThePerson: readonly Entry['what'][] = ['entered', 'goal', 'moved', 'completed', 'exited'];

/** Newest first, as everywhere. */
export function itemsOf(timeline: readonly Entry[], { steps, nameOf, messages }: Told): TimelineItem[] {
  const entries = withoutEchoes(timeline);
  const sent = messagesOf(entries, messages);
  return entries
    .map((entry, at) => {
      const { what, stepId } = entry;
      const step = stepId === undefined ? undefined : (steps.get(stepId) ?? stepId);
      const isOfStep = step !== undefined && !ofThePerson.includes(what);
      const messageId = sent.get(at);
      return {
        ...{ key: String(at), at: entry.at, ...looks[what] },
        title: isOfStep ? step : t.what[what],
        detail: <Detail parts={tellDetail(entry, nameOf)} />,
        ...(messageId === undefined ? {} : { href: messageHref({ messageId }) }),
      };
    })
    .reverse();
}

export function Detail({ parts }: { parts: ReturnType<typeof tellDetail> }) {
  return parts.map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence stand in their order
      <ClockMoment key={at} at={part.moment} />
    ),
  );
}
