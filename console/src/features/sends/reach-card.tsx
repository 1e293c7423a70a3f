// Who gets a send, who is left out, and why.
import { Alert, Stack, Text } from '@mantine/core';
import { Card } from '../../shared/card.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { whole } from '../../texts/numbers.ts';
import { t } from '../../texts/sends.ts';
import type { Reach } from './send-api.ts';
import classes from './sends.module.css';

export function ReachCard({ reach, isFailed }: { reach: Reach | undefined; isFailed: boolean }) {
  return (
    <Card title={t.reach}>
      <div aria-busy={!reach && !isFailed}>
        {isFailed ? (
          <Alert color="yellow">{t.reachFailed}</Alert>
        ) : reach ? (
          <Told reach={reach} />
        ) : (
          <LoadingState label={t.counting} rows={2} />
        )}
      </div>
    </Card>
  );
}

function Told({ reach }: { reach: Reach }) {
  const { audience, getsMail, leftOut, isExact } = reach;
  if (audience === null) return <Text>{reach.text}</Text>;
  const figures = [
    { label: t.inList, value: audience },
    ...(getsMail === null
      ? []
      : [
          { label: t.getIt, value: getsMail },
          { label: t.leftOutCount, value: audience - getsMail },
        ]),
  ];
  return (
    <Stack gap="md">
      <Figures figures={figures} />
      {!isExact && <Text c="dimmed">{t.about}</Text>}
      {leftOut.length === 0 ? (
        <Text c="dimmed">{t.nobodyLeftOut}</Text>
      ) : (
        <div>
          <Text fw={600}>{t.leftOut}</Text>
          <ul className={classes.reasons}>
            {leftOut.map(({ reason, text }) => (
              <li key={reason}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  );
}

export function Figures({ figures }: { figures: readonly { label: string; value: number }[] }) {
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{whole(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
