import { getStatsOverview, getWorkspaceHealth } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { AttentionCard } from '../features/home/attention-card.tsx';
import { EventsNow } from '../features/home/events-now.tsx';
import classes from '../features/home/home.module.css';
import { MailFigures } from '../features/home/mail-figures.tsx';
import { SetupCard } from '../features/home/setup-card.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Page } from '../shared/page.tsx';
import { windowOf } from '../shared/period/period.ts';
import { t } from '../texts/home.ts';
import { t as words } from '../texts/shared.ts';

export default function HomePage() {
  const api = useApi();
  const { me } = useRights();
  const health = useQuery({
    ...dataOf(api, getWorkspaceHealth),
    refetchInterval: 60_000,
  });
  const overview = useQuery({
    // As many days as in the reports. Without an end: it stays the same question all day.
    ...dataOf(api, getStatsOverview, { query: { startTime: windowOf({ kind: '30' }, Date.now()).startTime } }),
    refetchInterval: 60_000,
  });
  const isSetUp = health.data !== undefined && Object.values(health.data.setup).every(Boolean);
  // A new workspace has sent nothing: then it shows only the first steps.
  const hasMail = overview.data !== undefined && (isSetUp || overview.data.sent > 0 || overview.data.previous.sent > 0);
  return (
    <Page title={t.title} lead={me && t.lead(me.workspace.name)}>
      {health.data && !isSetUp && <SetupCard setup={health.data.setup} />}
      <div className={classes.columns}>
        <div className={classes.column}>
          {overview.isPending && <LoadingState label={words.loading} />}
          {overview.error && !overview.data && (
            <ErrorState error={overview.error} onRetry={() => void overview.refetch()} compact />
          )}
          {hasMail && overview.data && <MailFigures overview={overview.data} />}
        </div>
        <div className={classes.column}>
          {health.isPending && <LoadingState label={words.loading} rows={3} />}
          {health.error && !health.data && (
            <ErrorState error={health.error} onRetry={() => void health.refetch()} compact />
          )}
          {health.data && <AttentionCard attention={health.data.attention} />}
          <EventsNow />
        </div>
      </div>
    </Page>
  );
}
