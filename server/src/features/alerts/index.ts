// Alerts: what went wrong in a workspace and needs somebody to look, on the home page, by mail and to a Slack-compatible webhook.
import { alertKinds } from '@rapport/contract';
import { Gauge, type Registry } from 'prom-client';
import { hearing } from '../../db/news.js';
import { inSteps } from '../../work/chores.js';
import { StopLinks, stopPages } from '../accounts/index.js';
import { postsTried } from '../webhooks/index.js';
import { namesOf } from './names.js';
import { countOpen, deleteMail, dropOrphans, selectOpen, sweepAlerts } from './queries.js';
import { alertEndpoints, type RouteNeeds } from './routes.js';
import { type WatchNeeds, watchAll } from './watch.js';
import { lane } from './webhook/change-webhook.js';
import { noteTried } from './webhook/queries.js';
import { type ShownAlert, showAlert } from './words.js';

interface AlertNeeds extends RouteNeeds, Omit<WatchNeeds, 'links'> {
  registry: Registry;
}

// Days that closed ones are shown.
const keptDays = 90;

const stopWords = {
  ...{ stop: 'Stop alerts by email', noMore: 'No more alerts', ended: 'Alerts by email are off' },
  place: { path: '/console/settings/alerts', name: 'Settings' },
};

export function alerts(needs: AlertNeeds) {
  const { db, box, registry } = needs;
  const { background } = db;
  const links = new StopLinks(box, 'alerts');
  openGauge(registry, () => countOpen(background));
  return {
    endpoints: alertEndpoints(needs),
    /** Those of a tenant that are open, oldest first. */
    listOpen: async (tenantId: number): Promise<ShownAlert[]> => {
      const rows = await selectOpen(db, tenantId);
      const names = await namesOf(db, tenantId, rows);
      return rows.map((row) => showAlert(row, names, needs.limits));
    },
    ...stopPages(db, links, stopWords, (tenantId, accountId) => deleteMail(db, tenantId, accountId)),
    hears: [
      hearing(postsTried, async (tx, tenantId, items) => {
        for (const each of items) if (each.lane === lane) await noteTried(tx, tenantId, each);
      }),
    ],
    chores: [
      {
        ...{ name: 'alerts', everyMs: 300_000, atStart: true },
        run: async (signal: AbortSignal) => {
          await dropOrphans(background);
          await watchAll({ ...needs, links }, signal);
        },
      },
      {
        ...{ name: 'old alerts', everyMs: 3_600_000 },
        run: (signal: AbortSignal) => inSteps((atMost) => sweepAlerts(background, keptDays, atMost), signal),
      },
    ],
  };
}

function openGauge(registry: Registry, count: () => ReturnType<typeof countOpen>): void {
  new Gauge({
    name: 'rapport_alerts_open',
    help: 'Open alerts of all tenants by kind: bounces, complaints, journeyStopped, listHalved.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      // A database that is away must not keep the other figures from being read.
      const counted = await count().catch(() => undefined);
      if (!counted) return;
      for (const kind of alertKinds) this.set({ kind }, counted.find((each) => each.kind === kind)?.n ?? 0);
    },
  });
}
