import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ownAccount, SignedOut } from '../api/session/own-account.ts';
import { useSession } from '../api/session/session.tsx';
import classes from '../features/account/account.module.css';
import { BrowsersCard } from '../features/account/browsers-card.tsx';
import { PasswordCard } from '../features/account/password-card.tsx';
import { ProfileCard } from '../features/account/profile-card.tsx';
import { SecondFactorCard } from '../features/account/second-factor-card.tsx';
import { WorkspacesCard } from '../features/account/workspaces-card.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Page } from '../shared/page.tsx';
import { t } from '../texts/account.ts';
import { t as words } from '../texts/shared.ts';

export default function AccountPage() {
  const { who } = useSession();
  return (
    <Page title={t.account} lead={who && t.lead(who.person.email)}>
      {who ? <Account /> : <EmptyState title={t.byToken} text={t.byTokenText} />}
    </Page>
  );
}

function Account() {
  const { refresh } = useSession();
  const { data: account, error, refetch } = useQuery(ownAccount());
  const isOver = error instanceof SignedOut;
  // The sign-in page says why.
  useEffect(() => {
    if (isOver) void refresh().catch(() => undefined);
  }, [isOver, refresh]);
  if (error && !account) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!account) return <LoadingState label={words.loading} />;
  const { isOwn, secondFactor } = account;
  return (
    <div className={classes.cards}>
      {!isOwn && <Alert color="gray">{t.sso}</Alert>}
      {isOwn && <ProfileCard account={account} />}
      {isOwn && <PasswordCard account={account} />}
      {secondFactor && <SecondFactorCard factor={secondFactor} hasPassword={account.hasPassword} />}
      <WorkspacesCard account={account} />
      <BrowsersCard browsers={account.browsers} />
    </div>
  );
}
