// Navigation: what the sidebar, the search and the shortcuts know about pages.
import type { ReactNode } from 'react';
import {
  BlockIcon,
  BroadcastIcon,
  BuildingIcon,
  ChartIcon,
  EventIcon,
  FilterIcon,
  FormIcon,
  GearIcon,
  HomeIcon,
  HookIcon,
  JourneyIcon,
  ListIcon,
  LogIcon,
  MailIcon,
  OutboxIcon,
  PeopleIcon,
  QuestionIcon,
  SendIcon,
  TopicIcon,
  UploadIcon,
} from '../../shared/icons.tsx';
import { t } from '../../texts/shell.ts';

export interface Place {
  to: string;
  title: string;
  icon: ReactNode;
  /** `g` and this letter lead here. */
  key?: string;
  /** Pages that belong here, though their address begins otherwise. */
  also?: readonly string[];
  /** Not in the sidebar: only found by the search, or by its key. */
  isHidden?: boolean;
}

export const sections: readonly { title?: string; places: readonly Place[] }[] = [
  { places: [{ to: '/', title: t.home, icon: <HomeIcon size={18} />, key: 'h' }] },
  {
    title: t.people,
    places: [
      { to: '/contacts', title: t.contacts, icon: <PeopleIcon size={18} />, key: 'c' },
      { to: '/organizations', title: t.organizations, icon: <BuildingIcon size={18} />, key: 'o' },
      { to: '/lists', title: t.lists, icon: <ListIcon size={18} />, key: 'l', also: ['/audience'] },
      { to: '/audience', title: t.audience, icon: <FilterIcon size={18} />, key: 'a', isHidden: true },
    ],
  },
  {
    title: t.messaging,
    places: [
      { to: '/journeys', title: t.journeys, icon: <JourneyIcon size={18} />, key: 'j' },
      { to: '/sends', title: t.sends, icon: <BroadcastIcon size={18} />, key: 'n' },
      { to: '/emails', title: t.emails, icon: <MailIcon size={18} />, key: 'e' },
      { to: '/messages', title: t.messages, icon: <SendIcon size={18} />, key: 'm' },
      { to: '/topics', title: t.topics, icon: <TopicIcon size={18} />, key: 't' },
      { to: '/forms', title: t.forms, icon: <FormIcon size={18} />, key: 'f' },
      { to: '/suppressions', title: t.suppressions, icon: <BlockIcon size={18} /> },
      { to: '/outbox', title: t.outbox, icon: <OutboxIcon size={18} />, key: 'b' },
      { to: '/why', title: t.why, icon: <QuestionIcon size={18} />, key: 'y' },
    ],
  },
  {
    title: t.data,
    places: [
      { to: '/events', title: t.events, icon: <EventIcon size={18} />, key: 'v' },
      { to: '/imports', title: t.imports, icon: <UploadIcon size={18} />, key: 'i', also: ['/contacts/import'] },
      { to: '/ingest-log', title: t.ingestLog, icon: <LogIcon size={18} /> },
      { to: '/webhooks', title: t.webhooks, icon: <HookIcon size={18} />, key: 'w' },
    ],
  },
  {
    places: [
      { to: '/reports', title: t.reports, icon: <ChartIcon size={18} />, key: 'r' },
      { to: '/settings', title: t.settings, icon: <GearIcon size={18} />, key: 's' },
    ],
  },
];

export const places: readonly Place[] = sections.flatMap((section) => section.places);
