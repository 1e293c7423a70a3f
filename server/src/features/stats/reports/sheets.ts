// Statistics as files: the columns of each, and where its rows come from.
import * as contract from '@rapport/contract';
import { countNames, Rates } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import type { Page } from '../../../db/paged.js';
import type { Window } from '../../../db/tallies.js';
import { invalid } from '../../../http/api-error.js';
import type { Clock } from '../../../lib/clock.js';
import { getEmailStats } from '../get-email-stats.js';
import { getJourneyRollup } from '../get-journey-rollup.js';
import { getJourneyStats } from '../get-journey-stats.js';
import { windowOf } from '../window.js';
import { getFunnel } from './get-funnel.js';
import { getOverview } from './get-overview.js';
import { listBroadcasts, listDomains, listEmails, listLinks } from './list-reports.js';
import { periodOf } from './periods.js';

export interface SheetNeeds {
  db: Database;
  clock: Clock;
  rollupLimit: number;
  /** Rows of a file; more is a 400. */
  mostRows: number;
}

type Cell = string | number | null | undefined;
export type SheetRow = Readonly<Record<string, Cell>>;

export interface Sheet {
  /** Below /exports/stats. */
  path: string;
  /** What the id in the path identifies; the file is named after it, or after `file`. */
  name: string;
  file?: string;
  /** The JSON read whose parameters it accepts, except for paging. */
  route: contract.Route;
  columns: readonly string[];
  /** Titles that differ from those in titles.ts. */
  titles?: Readonly<Record<string, string>>;
  /** What the file is about, for its name. */
  window(needs: SheetNeeds, query: unknown): Window;
  read(needs: SheetNeeds, tenantId: number, id: string, query: unknown): Promise<readonly SheetRow[]>;
}

const rateNames = Object.keys(Rates.properties);
const goals = ['reachedGoal', 'goalRate', 'heldEntered', 'heldGoalRate', 'difference'];
const passage = ['entered', 'completed', 'exited', 'inProgress'];

/** The types of the query are those of the route. */
function sheet<R extends contract.Route>(
  definition: Omit<Sheet, 'route' | 'read' | 'window'> & {
    route: R;
    read(needs: SheetNeeds, tenantId: number, id: string, query: contract.QueryValues<R>): Promise<readonly SheetRow[]>;
    window?(needs: SheetNeeds, query: contract.QueryValues<R>): Window;
  },
): Sheet {
  const { read, window } = definition as Sheet;
  return { ...definition, read, window: window ?? ((_needs, query) => windowOf(query as contract.QueryValues<R>)) };
}

// An address may have 2 KB, so this is 40 MB at most.
const mostLinks = 20_000;

export const sheets: readonly Sheet[] = [
  sheet({
    path: '/overview',
    name: 'overview',
    route: contract.getStatsOverview,
    columns: ['time', ...countNames, 'engaged'],
    window: ({ clock }, query) => periodOf(query, clock.now().toISOString()),
    read: async ({ db, clock }, tenantId, _id, query) =>
      (await getOverview(db, tenantId, query, clock.now().toISOString())).series,
  }),
  sheet({
    path: '/domains',
    name: 'domains',
    route: contract.listStatsDomains,
    columns: ['domain', ...countNames, ...rateNames, 'complaintRate'],
    read: async ({ db, mostRows }, tenantId, _id, query) =>
      all(await listDomains(db, tenantId, windowOf(query), everyRow(mostRows)), mostRows).map(withRates),
  }),
  sheet({
    path: '/emails',
    name: 'emails',
    route: contract.listStatsEmails,
    columns: ['emailId', 'name', ...countNames, ...rateNames],
    titles: { name: 'Email' },
    read: async ({ db, mostRows }, tenantId, _id, query) =>
      all(await listEmails(db, tenantId, windowOf(query), everyRow(mostRows)), mostRows).map(withRates),
  }),
  sheet({
    path: '/broadcasts',
    name: 'broadcasts',
    file: 'sends',
    titles: { name: 'Send' },
    route: contract.listStatsBroadcasts,
    columns: ['broadcastId', 'name', 'startedAt', ...countNames, ...rateNames],
    read: async ({ db, mostRows }, tenantId, _id, query) =>
      all(await listBroadcasts(db, tenantId, windowOf(query), everyRow(mostRows)), mostRows).map(withRates),
  }),
  sheet({
    path: '/links',
    name: 'links',
    route: contract.listStatsLinks,
    columns: ['url', 'emailId', 'clicked', 'uniqueClicked', 'machineClicked'],
    read: async ({ db, mostRows }, tenantId, _id, query) => {
      const most = Math.min(mostRows, mostLinks);
      const found = await listLinks(db, tenantId, query.emailId, windowOf(query), everyRow(most));
      return all(found, most, ', or name an emailId');
    },
  }),
  sheet({
    path: '/journeys',
    name: 'journeys',
    titles: { name: 'Journey' },
    route: contract.getJourneyRollup,
    columns: ['journeyId', 'name', 'type', 'status', ...countNames, ...rateNames, ...passage, ...goals],
    read: async ({ db, rollupLimit }, tenantId, _id, query) =>
      (await getJourneyRollup(db, tenantId, query, windowOf(query), rollupLimit)).journeys
        .map(withRates)
        .map(({ holdout, ...row }) => ({
          ...row,
          heldEntered: holdout?.held.entered,
          heldGoalRate: holdout?.held.goalRate,
          difference: holdout && shortly(holdout.difference),
        })),
  }),
  sheet({
    path: '/journeys/{id}',
    name: 'journey',
    route: contract.getJourneyStats,
    columns: ['stepId', 'name', 'type', 'entered', 'left', 'inProgress', ...countNames],
    titles: { name: 'Step' },
    read: async ({ db }, tenantId, id, query) => (await getJourneyStats(db, tenantId, id, windowOf(query))).steps,
  }),
  sheet({
    path: '/funnel/{id}',
    name: 'funnel',
    route: contract.getJourneyFunnel,
    columns: ['stepId', 'name', 'type', 'entered', 'left', 'inProgress', 'share', 'p50', 'p90'],
    titles: { name: 'Step', entered: 'Visits', inProgress: 'Here now' },
    read: async ({ db }, tenantId, id, query) =>
      (await getFunnel(db, tenantId, id, windowOf(query))).steps.map(({ seconds, ...step }) => ({
        ...step,
        ...seconds,
      })),
  }),
  sheet({
    path: '/emails/{id}',
    name: 'email',
    route: contract.getEmailStats,
    columns: ['time', ...countNames],
    read: async ({ db }, tenantId, id, query) =>
      (await getEmailStats(db, tenantId, id, windowOf(query), query.interval ?? 'day')).series,
  }),
];

/** A difference of two rates has a long tail: 0.4 − 0.1 is 0.30000000000000004. */
function shortly(difference: number | null): number | null {
  return difference === null ? null : Number(difference.toFixed(6));
}

function withRates<Row extends { rates: Readonly<Record<string, number>> }>({ rates, ...row }: Row) {
  return { ...row, ...rates };
}

function everyRow(mostRows: number) {
  return { limit: mostRows, offset: 0, isFat: true };
}

function all<Row>({ rows, total }: Page<Row>, mostRows: number, orElse = ''): Row[] {
  if (total <= mostRows) return rows;
  const [found, most] = [total, mostRows].map((n) => n.toLocaleString('en'));
  throw invalid(
    'startTime',
    `and the other parameters find ${found} rows, and a file has at most ${most}: narrow the window${orElse}`,
  );
}
