import { Anchor } from '@mantine/core';
import type { DataValue, getStatsOverview } from '@rapport/contract';
import { Link } from 'wouter';
import { Card } from '../../shared/card.tsx';
import { dayName } from '../../shared/chart/day-name.ts';
import { TimeChart } from '../../shared/chart/time-chart.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { Figure } from '../../shared/figure.tsx';
import { SendIcon } from '../../shared/icons.tsx';
import { rates as shares } from '../../texts/figure.ts';
import { t } from '../../texts/home.ts';
import { whole } from '../../texts/numbers.ts';
import classes from './home.module.css';

type Overview = DataValue<typeof getStatsOverview>;

const against = (now: number, then: number, isGoodUp = true) => ({ now, then, isGoodUp });

/** What was sent and its results, compared with the period before. */
export function MailFigures({ overview }: { overview: Overview }) {
  const { rates, previous, series } = overview;
  return (
    <>
      <div className={classes.figures}>
        <Figure
          label={t.sent}
          value={whole(overview.sent)}
          definition={t.definitions.sent}
          before={against(overview.sent, previous.sent)}
        />
        <Figure
          label={t.opened}
          value={whole(overview.uniqueOpened)}
          definition={t.definitions.opened}
          note={shares.ofDelivered(rates.openRate)}
          before={against(overview.uniqueOpened, previous.uniqueOpened)}
        />
        <Figure
          label={t.clicked}
          value={whole(overview.uniqueClicked)}
          definition={t.definitions.clicked}
          note={shares.ofDelivered(rates.clickRate)}
          before={against(overview.uniqueClicked, previous.uniqueClicked)}
        />
        <Figure
          label={t.bounced}
          value={whole(overview.bounced)}
          definition={t.definitions.bounced}
          note={shares.ofSent(rates.bounceRate)}
          before={against(overview.bounced, previous.bounced, false)}
        />
      </div>
      <Card
        title={t.overTime}
        actions={
          <Anchor component={Link} href="/reports">
            {t.reports}
          </Anchor>
        }
      >
        {overview.sent === 0 ? (
          <EmptyState icon={<SendIcon size={20} />} title={t.noMail} text={t.noMailText} />
        ) : (
          <TimeChart
            label={t.overTime}
            times={series.map(({ time }) => time)}
            timeName={dayName}
            height={280}
            series={[
              { name: t.sent, colour: 'quiet', values: series.map(({ sent }) => sent) },
              { name: t.opened, colour: 'accent', values: series.map(({ uniqueOpened }) => uniqueOpened) },
              { name: t.clicked, colour: 'good', values: series.map(({ uniqueClicked }) => uniqueClicked) },
            ]}
          />
        )}
      </Card>
    </>
  );
}
