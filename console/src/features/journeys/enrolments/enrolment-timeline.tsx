// The timeline of an enrolment as the one timeline shows it.
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
import type { TimelineItem } from '../../../shared/timeline/timeline.tsx';
import type { Tone } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/journeys.ts';
import type { EnrolmentRecord } from './enrolment-columns.tsx';

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

/** Newest first, as everywhere. */
export function itemsOf(
  timeline: readonly Entry[],
  steps: ReadonlyMap<string, string>,
  nameOf: (id: string) => string | undefined,
): TimelineItem[] {
  // Sentences of the service name lists, emails and journeys by their ids.
  const named = (text: string | undefined) => text?.replace(/\b[0-9a-f]{24}\b/g, (id) => nameOf(id) ?? id);
  return timeline
    .map((entry, at) => {
      const { what, stepId, detail } = entry;
      const step = stepId === undefined ? undefined : (steps.get(stepId) ?? stepId);
      return {
        ...{ key: String(at), at: entry.at, ...looks[what] },
        title: what === 'step' && step ? step : t.what[what],
        detail: [what === 'step' ? undefined : step, named(detail)].filter(Boolean).join(' · '),
      };
    })
    .reverse();
}
