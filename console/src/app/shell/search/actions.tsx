// What can be done from the search. Only what the person may do.
import type { ReactNode } from 'react';
import {
  BlockIcon,
  BookIcon,
  BroadcastIcon,
  BuildingIcon,
  FilterIcon,
  FormIcon,
  GlobeIcon,
  HookIcon,
  JourneyIcon,
  KeyIcon,
  ListIcon,
  MailIcon,
  PersonIcon,
  QuestionIcon,
  ShieldIcon,
  SignOutIcon,
  TopicIcon,
  UploadIcon,
} from '../../../shared/icons.tsx';
import { actions as words } from '../../../texts/search.ts';
import { openShortcuts } from '../shortcuts/open-shortcuts.ts';

interface Action {
  id: keyof typeof words;
  icon: ReactNode;
  /** Who may do it. If missing, everyone. */
  needs?: 'write' | 'admin' | 'person';
  /** The page where it is done. */
  to?: string;
  /** The button there that begins it. */
  press?: string;
  run?: () => void;
}

const create = '[data-shortcut=create]';

const actions: readonly Action[] = [
  { id: 'newSend', icon: <BroadcastIcon size={18} />, needs: 'write', to: '/sends/new' },
  { id: 'newJourney', icon: <JourneyIcon size={18} />, needs: 'write', to: '/journeys', press: create },
  { id: 'newEmail', icon: <MailIcon size={18} />, needs: 'write', to: '/emails', press: create },
  { id: 'newList', icon: <FilterIcon size={18} />, needs: 'write', to: '/audience' },
  {
    id: 'newStaticList',
    icon: <ListIcon size={18} />,
    needs: 'write',
    to: '/lists',
    press: '[data-shortcut=create-static]',
  },
  { id: 'newContact', icon: <PersonIcon size={18} />, needs: 'write', to: '/contacts', press: create },
  { id: 'newOrganization', icon: <BuildingIcon size={18} />, needs: 'write', to: '/organizations', press: create },
  { id: 'importContacts', icon: <UploadIcon size={18} />, needs: 'write', to: '/contacts/import' },
  { id: 'newForm', icon: <FormIcon size={18} />, needs: 'write', to: '/forms', press: create },
  { id: 'newTopic', icon: <TopicIcon size={18} />, needs: 'write', to: '/topics', press: create },
  { id: 'suppress', icon: <BlockIcon size={18} />, needs: 'write', to: '/suppressions', press: create },
  { id: 'newWebhook', icon: <HookIcon size={18} />, needs: 'write', to: '/webhooks', press: create },
  { id: 'invite', icon: <MailIcon size={18} />, needs: 'admin', to: '/settings/people', press: create },
  { id: 'newToken', icon: <KeyIcon size={18} />, needs: 'write', to: '/settings/tokens', press: create },
  { id: 'addDomain', icon: <GlobeIcon size={18} />, needs: 'admin', to: '/settings/domains', press: create },
  { id: 'addSso', icon: <ShieldIcon size={18} />, needs: 'admin', to: '/settings/sso', press: create },
  { id: 'account', icon: <PersonIcon size={18} />, needs: 'person', to: '/account' },
  { id: 'reference', icon: <BookIcon size={18} />, run: () => void window.open('/docs', '_blank', 'noopener') },
  { id: 'shortcuts', icon: <QuestionIcon size={18} />, run: openShortcuts },
];

export interface Doing {
  id: string;
  title: string;
  words: string;
  icon: ReactNode;
  to?: string;
  press?: string;
  run?: () => void;
}

interface May {
  canWrite: boolean;
  isAdmin: boolean;
  /** Signed in themselves, not with a token. */
  isPerson: boolean;
  signOut: () => void;
}

export function actionsFor({ canWrite, isAdmin, isPerson, signOut }: May): Doing[] {
  const may = { write: canWrite, admin: isAdmin && canWrite, person: isPerson };
  const leave: Action = { id: 'signOut', icon: <SignOutIcon size={18} />, run: signOut };
  return [...actions, leave]
    .filter(({ needs }) => !needs || may[needs])
    .map(({ needs: _, id, ...action }) => ({
      ...action,
      id: `action-${id}`,
      title: words[id][0],
      words: words[id][1],
    }));
}
