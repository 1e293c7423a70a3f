import { SegmentedControl, Select } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Card } from '../../../shared/card.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/journeys.ts';
import { t as words } from '../../../texts/shared.ts';
import { useAssets } from '../editing/use-assets.ts';
import { readDefinition } from '../model/read.ts';
import type { Names } from '../model/say.ts';
import classes from './compare-versions.module.css';
import { type Change, linesOf, tellDifference } from './tell-difference.ts';

const SideBySide = lazy(() => import('../../../shared/diff/side-by-side.tsx'));

export interface NamedDefinition {
  id: string;
  name: string;
  definition: unknown;
}

const signs = { added: 'good', removed: 'bad', changed: 'info' } as const;

/** Two versions, chosen in the address: in words first, then side by side. */
export function CompareVersions({ choices }: { choices: readonly NamedDefinition[] }) {
  const { param, setParam } = usePageParams();
  const { names } = useAssets();
  const chosen = (name: string, usual: number) =>
    choices.find(({ id }) => id === param(name)) ?? choices[Math.min(usual, choices.length - 1)];
  const [newer, older] = [chosen('newer', 0), chosen('older', 1)];
  const isJson = param('as') === 'json';
  if (!newer || !older) return null;
  const [left, right] = [textOf(older, names, isJson), textOf(newer, names, isJson)];
  const pick = (name: 'newer' | 'older', value: string) => ({
    label: t[name],
    w: 160,
    value,
    data: choices.map(({ id, name: label }) => ({ value: id, label })),
    allowDeselect: false,
    onChange: (next: string | null) => setParam(name, next ?? undefined),
  });
  return (
    <Card title={t.compare}>
      <div className={classes.stack}>
        <Toolbar
          end={
            <SegmentedControl
              aria-label={t.show}
              size="sm"
              value={isJson ? 'json' : 'words'}
              onChange={(value) => setParam('as', value === 'json' ? value : undefined)}
              data={[
                { value: 'words', label: t.asWords },
                { value: 'json', label: t.asJson },
              ]}
            />
          }
        >
          <Select {...pick('older', older.id)} />
          <Select {...pick('newer', newer.id)} />
        </Toolbar>
        <Changes changes={changesOf(older, newer, names)} />
        {left !== right && (
          <Suspense fallback={<LoadingState label={words.loading} rows={3} />}>
            <SideBySide left={{ title: older.name, text: left }} right={{ title: newer.name, text: right }} />
          </Suspense>
        )}
      </div>
    </Card>
  );
}

function changesOf(older: NamedDefinition, newer: NamedDefinition, names: Names): Change[] | undefined {
  const [before, after] = [readDefinition(older.definition), readDefinition(newer.definition)];
  return 'problem' in before || 'problem' in after
    ? undefined
    : tellDifference(before.definition, after.definition, names);
}

/** A definition that cannot be read as a journey is shown as it is. */
function textOf({ definition }: NamedDefinition, names: Names, isJson: boolean): string {
  const read = readDefinition(definition);
  return isJson || 'problem' in read ? JSON.stringify(definition, null, 2) : linesOf(read.definition, names);
}

function Changes({ changes }: { changes: readonly Change[] | undefined }) {
  if (!changes) return null;
  if (changes.length === 0) return <p className={classes.same}>{t.same}</p>;
  return (
    <ul className={classes.changes} aria-label={t.inWords}>
      {changes.map(({ kind, text, details }) => (
        <li key={text}>
          <ToneBadge tone={signs[kind]}>{t.kinds[kind]}</ToneBadge>
          <div>
            {text}
            {details.map((detail) => (
              <div key={detail} className={classes.detail}>
                {detail}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
