// The dashboard and the alerts, against what /metrics has. Prometheus's own grammar reads their queries.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { Registry } from 'prom-client';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { useApp } from '../../../test/app.js';
import type { Database } from '../../db/database.js';
import { countReplicaReads } from './watch-work.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const textOf = (file: string) => readFileSync(root + file, 'utf8');
const operations = textOf('docs/operations.md');

interface Alert {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}
interface Panel {
  title: string;
  targets: { expr: string; legendFormat: string }[];
}
const alerts: Alert[] = parse(textOf('deploy/observability/alerts.yaml')).groups.flatMap(
  (group: { rules: Alert[] }) => group.rules,
);
const panels: Panel[] = JSON.parse(textOf('deploy/observability/dashboard.json')).panels;
const queries = [
  ...alerts.map(({ alert, expr, annotations }) => ({ where: alert, expr, shown: annotations.summary })),
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, expr, shown: legendFormat })),
  ),
];

// A metric without a sample does not tell its labels, so they are seen when it is registered.
interface Registered {
  name: string;
  labelNames: string[];
}
const registering = vi.spyOn(Registry.prototype, 'registerMetric');
afterAll(() => registering.mockRestore());
const t = useApp({ processMetrics: true });

/** Every series that Prometheus would have, and its labels: those of a scrape, too. */
async function knownSeries(): Promise<Map<string, string[]>> {
  // Only nodes with a replica have it.
  countReplicaReads({ slowReadsBy: { primary: 0, replica: 0 } } as Database, new Registry());
  const { text } = await t.admin.get('/metrics');
  const known = new Map([['up', ['job', 'instance']]]);
  for (const [metric] of registering.mock.calls) {
    const { name, labelNames } = metric as unknown as Registered;
    const kind = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text)?.[1];
    if (!kind && name !== 'rapport_slow_reads_total') continue;
    const labels = [...labelNames, 'job', 'instance'];
    if (kind === 'histogram') known.set(`${name}_bucket`, [...labels, 'le']).set(`${name}_count`, labels);
    else known.set(name, labels);
  }
  return known;
}

function read(expr: string) {
  const found = { metrics: [] as string[], labels: [] as string[], faults: [] as string[] };
  parser.parse(expr).iterate({
    enter: ({ name, type, from, to }) => {
      const text = expr.slice(from, to);
      if (type.isError) found.faults.push(`at ${from}`);
      if (name === 'Identifier') found.metrics.push(text);
      if (name === 'LabelName') found.labels.push(text);
    },
  });
  return found;
}

describe('the dashboard and the alerts', () => {
  it.each(queries)('$where: names only metrics and labels that there are: $expr', async ({ expr, shown }) => {
    const known = await knownSeries();
    const { metrics, labels, faults } = read(expr);
    expect(faults).toEqual([]);
    expect(metrics).not.toEqual([]);
    expect(metrics.filter((name) => !known.has(name))).toEqual([]);
    const has = metrics.flatMap((name) => known.get(name) ?? []);
    const inWords = [...shown.matchAll(/\{\{ *(?:\$labels\.)?(\w+) *\}\}/g)].map(([, label = '']) => label);
    expect([...labels, ...inWords].filter((label) => !has.includes(label))).toEqual([]);
  });

  it('name only outcomes that there are', async () => {
    const { text } = await t.admin.get('/metrics');
    const named = queries.flatMap(({ expr }) => [...expr.matchAll(/(\w+)\{outcome="(\w+)"\}/g)]);
    expect(named).not.toEqual([]);
    for (const [, metric, outcome] of named)
      expect(text).toMatch(new RegExp(`^# HELP ${metric} .*\\b${outcome}\\b`, 'm'));
  });

  it('show every metric of Rapport', async () => {
    const used = queries.map(({ expr }) => expr).join(' ');
    const left = [...(await knownSeries()).keys()].filter(
      (name) => name.startsWith('rapport_') && !used.includes(name),
    );
    expect(left).toEqual([]);
  });
});

describe('every alert', () => {
  it.each(alerts)('$alert has a paragraph that says what to do', ({ alert, annotations }) => {
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(operations).toMatch(new RegExp(`^### ${alert}\n\n[A-Z\`]`, 'm'));
  });

  it('that is explained is a rule', () => {
    const explained = [...operations.matchAll(/^### (Rapport\w+)$/gm)].map(([, name]) => name);
    expect(explained).toEqual(alerts.map(({ alert }) => alert));
  });
});
