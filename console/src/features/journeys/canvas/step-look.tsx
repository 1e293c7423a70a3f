import type { ReactNode } from 'react';
import {
  BranchIcon,
  ClockIcon,
  EventIcon,
  ExitIcon,
  HookIcon,
  HourglassIcon,
  JourneyIcon,
  LeaveIcon,
  ListMinusIcon,
  ListPlusIcon,
  MailIcon,
  SplitIcon,
  TagIcon,
  TopicIcon,
} from '../../../shared/icons.tsx';
import type { StepType } from '../model/definition.ts';

type StepTone = 'message' | 'time' | 'choice' | 'data' | 'quiet';

/** What a kind of step looks like, wherever it is shown: colour by what it is about. */
export const stepLooks: Record<StepType, { icon: ReactNode; tone: StepTone }> = {
  sendEmail: { icon: <MailIcon />, tone: 'message' },
  delay: { icon: <ClockIcon />, tone: 'time' },
  waitUntil: { icon: <HourglassIcon />, tone: 'time' },
  branch: { icon: <BranchIcon />, tone: 'choice' },
  split: { icon: <SplitIcon />, tone: 'choice' },
  updateProperty: { icon: <TagIcon />, tone: 'data' },
  addToList: { icon: <ListPlusIcon />, tone: 'data' },
  removeFromList: { icon: <ListMinusIcon />, tone: 'data' },
  setTopic: { icon: <TopicIcon />, tone: 'data' },
  webhook: { icon: <HookIcon />, tone: 'data' },
  emitEvent: { icon: <EventIcon />, tone: 'data' },
  startJourney: { icon: <JourneyIcon />, tone: 'data' },
  leaveJourney: { icon: <LeaveIcon />, tone: 'data' },
  exit: { icon: <ExitIcon />, tone: 'quiet' },
};
