import { Button, Progress, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'wouter';
import { useRights } from '../../api/session/rights.ts';
import { Card } from '../../shared/card.tsx';
import { CheckIcon } from '../../shared/icons.tsx';
import { t } from '../../texts/home.ts';
import classes from './home.module.css';
import { type Health, setupSteps } from './where-to-look.ts';

/** The first steps, until all are done. */
export function SetupCard({ setup }: { setup: Health['setup'] }) {
  const { canWrite, isAdmin } = useRights();
  const done = setupSteps.filter(({ step }) => setup[step]).length;
  const next = setupSteps.find(({ step }) => !setup[step])?.step;
  return (
    <Card title={t.setup} actions={<Text c="dimmed">{t.setupDone(done, setupSteps.length)}</Text>}>
      <Progress value={(done / setupSteps.length) * 100} aria-label={t.setupDone(done, setupSteps.length)} mb="xs" />
      <ol className={classes.steps}>
        {setupSteps.map(({ step, to, isForAdmins = false }) => (
          <li key={step} className={`${classes.step} ${setup[step] ? classes.done : ''}`}>
            <span className={classes.tick} data-done={setup[step] || undefined}>
              <CheckIcon size={14} />
            </span>
            <div className={classes.grow}>
              <div className={classes.name}>
                {t.steps[step].title}
                <VisuallyHidden>{`, ${setup[step] ? t.isDone : t.isOpen}`}</VisuallyHidden>
              </div>
              {!setup[step] && <div className={classes.quiet}>{t.steps[step].text}</div>}
            </div>
            {!setup[step] && canWrite && (isAdmin || !isForAdmins) && (
              <Button component={Link} href={to} size="xs" variant={step === next ? 'filled' : 'default'}>
                {t.steps[step].action}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
