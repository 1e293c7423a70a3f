// How contacts pass through a journey: a bar for each step, as long as its share of those who entered.
import { Text } from '@mantine/core';
import type { DataValue, getJourneyFunnel } from '@rapport/contract';
import { Definition } from '../../../shared/figure.tsx';
import tables from '../../../shared/table/figure-table.module.css';
import { t } from '../../../texts/journeys.ts';
import { percent, whole } from '../../../texts/numbers.ts';
import { t as words } from '../../../texts/shared.ts';
import { stepLooks } from '../canvas/step-look.tsx';
import type { StepType } from '../model/definition.ts';
import classes from './funnel.module.css';
import { sayStay } from './say-stay.ts';

type FunnelSteps = DataValue<typeof getJourneyFunnel>['steps'];

export function Funnel({ steps, names }: { steps: FunnelSteps; names: ReadonlyMap<string, string> }) {
  if (steps.length === 0)
    return (
      <Text c="dimmed" p="md">
        {t.noSteps}
      </Text>
    );
  // Contacts that come again count again: then the longest bar sets the scale.
  const most = Math.max(1, ...steps.map(({ share }) => share));
  return (
    <div className={tables.frame}>
      <table className={`${tables.table} ${classes.table}`} aria-label={t.funnel}>
        <thead>
          <tr>
            <th scope="col">{t.funnelStep}</th>
            <Heading title={t.came} text={t.cameText} />
            <Heading title={t.here} text={t.hereText} />
            <Heading title={t.stay} text={t.stayText} />
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.stepId}>
              <th scope="row">
                <span className={classes.step}>
                  {stepLooks[step.type as StepType]?.icon}
                  <span>
                    {names.get(step.stepId) ?? step.name ?? step.stepId}{' '}
                    {!names.has(step.stepId) && <span className={classes.quiet}>{t.goneStep}</span>}
                  </span>
                </span>
                <span className={classes.track}>
                  {step.share > 0 && (
                    <span className={classes.bar} style={{ width: `${(step.share / most) * 100}%` }} />
                  )}
                </span>
              </th>
              <td data-label={t.came}>
                {whole(step.entered)} <span className={classes.quiet}>{percent(step.share)}</span>
              </td>
              <td data-label={t.here}>{whole(step.inProgress)}</td>
              <td data-label={t.stay}>{step.seconds ? <Stay {...step.seconds} /> : words.empty}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading({ title, text }: { title: string; text: string }) {
  return (
    <th scope="col">
      {title}
      <Definition of={title} text={text} />
    </th>
  );
}

function Stay({ p50, p90 }: { p50: number; p90: number }) {
  return (
    <>
      <div>
        <span className={classes.quiet}>{t.half}</span> {sayStay(p50)}
      </div>
      <div>
        <span className={classes.quiet}>{t.nineOfTen}</span> {sayStay(p90)}
      </div>
    </>
  );
}
