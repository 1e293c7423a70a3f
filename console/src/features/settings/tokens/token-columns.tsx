import type { ReactNode } from 'react';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { scopesInWords, t as settings } from '../../../texts/settings.ts';
import { tokens as t } from '../../../texts/settings-access.ts';
import classes from '../settings.module.css';
import { type PersonalToken, tokenState } from './token-state.ts';

const states = {
  active: { tone: 'good', text: t.active },
  expired: { tone: 'warn', text: t.expired },
  revoked: { tone: 'quiet', text: t.revokedState },
} as const;

/** @param own The token that the user is signed in with, if it is one of these. */
export function tokenColumns(
  own: number | null,
  action: ((token: PersonalToken) => ReactNode) | undefined,
): Column<PersonalToken>[] {
  return [
    {
      id: 'name',
      title: t.name,
      cell: ({ tokenId, name }) => (
        <span className={classes.badges}>
          {name}
          {tokenId === own && <ToneBadge tone="info">{t.thisOne}</ToneBadge>}
        </span>
      ),
    },
    { id: 'state', title: t.state, cell: (token) => <State token={token} /> },
    { id: 'account', title: t.account, cell: ({ account }) => account.name },
    { id: 'scopes', title: t.scopes, cell: ({ scopes }) => scopesInWords(scopes) },
    {
      id: 'addresses',
      title: t.addresses,
      cell: ({ allowedAddresses }) => allowedAddresses?.join(', ') ?? t.anywhere,
    },
    {
      id: 'used',
      title: t.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : t.never),
    },
    {
      id: 'expires',
      title: t.expires,
      cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} isAhead /> : t.forGood),
    },
    ...(action ? [{ id: 'actions', title: settings.more, isUntitled: true, width: '1px', cell: action }] : []),
  ];
}

function State({ token }: { token: PersonalToken }) {
  const { tone, text } = states[tokenState(token, Date.now())];
  return <ToneBadge tone={tone}>{text}</ToneBadge>;
}
