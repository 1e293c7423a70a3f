import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Moment } from '../../../shared/moment.tsx';
import { t } from '../../../texts/journeys.ts';
import { type EnrolmentRecord, sayReason } from './enrolment-columns.tsx';
import classes from './enrolment-facts.module.css';

interface EnrolmentFactsProps {
  enrolment: EnrolmentRecord;
  steps: ReadonlyMap<string, string>;
  journeyId: string;
}

export function EnrolmentFacts({ enrolment, steps, journeyId }: EnrolmentFactsProps) {
  const { stepId, enteredAt, dueAt, endedAt, goalAt, reason, version } = enrolment;
  const moment = (at: string | null) => at && <Moment at={at} />;
  const facts: [string, ReactNode][] = [
    [endedAt === null ? t.step : t.lastStep, stepId && (steps.get(stepId) ?? stepId)],
    [t.entered, moment(enteredAt)],
    [t.next, endedAt === null && (dueAt === null ? t.waitsForAnswer : <Moment at={dueAt} isAhead />)],
    [t.goalReached, moment(goalAt)],
    [t.ended, moment(endedAt)],
    [t.reason, reason !== null && sayReason(reason)],
    [
      t.version,
      <Anchor key="version" component={Link} href={`/journeys/${journeyId}/versions`} inherit>
        {t.versionNumber(version)}
      </Anchor>,
    ],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
