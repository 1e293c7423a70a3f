// What the weekly summary says.
import { countTitles, type DataValue, type getStatsOverview } from '@rapport/contract';
import { harmless, type Letter } from '../accounts/index.js';

type Overview = DataValue<typeof getStatsOverview>;

interface SummaryWords {
  workspace: string;
  timeZone: string;
  days: string;
  overview: Overview;
  /** The report of that week. */
  link: string;
  stopLink: string;
  usefulUntil: string;
}

const wholes = new Intl.NumberFormat('en');
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const changes = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
const shown = ['sent', 'delivered', 'uniqueOpened', 'uniqueClicked', 'bounced', 'unsubscribed', 'complained'] as const;

/** The rate that belongs to a count. */
const rates: Partial<Record<(typeof shown)[number], keyof Overview['rates']>> = {
  ...{ delivered: 'deliveryRate', uniqueOpened: 'openRate', uniqueClicked: 'clickRate' },
  ...{ bounced: 'bounceRate', unsubscribed: 'unsubscribeRate' },
};

export function summaryLetter({
  workspace,
  timeZone,
  days,
  overview,
  link,
  stopLink,
  usefulUntil,
}: SummaryWords): Letter {
  const place = harmless(workspace);
  const isQuiet = shown.every((name) => overview[name] === 0);
  return {
    subject: `${place}: your week from ${days}`,
    before: [
      isQuiet
        ? `Nothing was sent, opened or clicked in ${place} from ${days} (${timeZone}).`
        : `These are the figures of ${place} from ${days} (${timeZone}), compared with the week before.`,
    ],
    figures: isQuiet ? [] : shown.map((name) => figure(name, overview)),
    action: 'Open the report',
    link,
    after: [
      'The report counts days in UTC, so its figures may differ slightly.',
      'You get this email on Mondays because you turned it on in Rapport.',
    ],
    stop: { action: 'Stop the weekly summary', link: stopLink },
    usefulUntil,
  };
}

function figure(name: (typeof shown)[number], { previous, ...now }: Overview) {
  const rateName = rates[name];
  const rate = rateName && percents.format(now.rates[rateName]);
  return {
    name: countTitles[name],
    value: wholes.format(now[name]),
    note: [rate, changeOf(now[name], previous[name])].filter((part) => part !== undefined).join(', '),
  };
}

function changeOf(now: number, then: number): string {
  if (now === then) return 'same as the week before';
  return then === 0 ? 'none in the week before' : `${changes.format((now - then) / then)} vs. the week before`;
}
