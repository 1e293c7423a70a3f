// What applies to everyone in the journey, in one line above its picture. Each rule is opened and changed from here.
import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { AlertIcon, ClockIcon, ExitIcon, MailIcon, RedoIcon, SplitIcon, TargetIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as words } from '../../../texts/journeys.ts';
import { type RuleName, ruleNames, rulePlace, sayRule } from '../model/say-rules.ts';
import { useCanvasWorld } from './canvas-context.ts';
import classes from './rules-strip.module.css';

export const ruleIcons: Readonly<Record<RuleName, ReactNode>> = {
  goal: <TargetIcon size={14} />,
  holdout: <SplitIcon size={14} />,
  cap: <MailIcon size={14} />,
  window: <ClockIcon size={14} />,
  reentry: <RedoIcon size={14} />,
  exitWhen: <ExitIcon size={14} />,
};

export function RulesStrip() {
  return (
    <ul className={classes.strip} aria-label={t.settings}>
      {ruleNames.map((name) => (
        <li key={name}>
          <Rule name={name} />
        </li>
      ))}
    </ul>
  );
}

function Rule({ name }: { name: RuleName }) {
  const { definition, faults, selected, select } = useCanvasWorld();
  const place = rulePlace(name);
  const said = sayRule(name, definition);
  const problems = faults.at.get(place)?.length ?? 0;
  return (
    <UnstyledButton
      className={classes.rule ?? ''}
      data-node={place}
      data-set={said !== undefined || undefined}
      data-faulty={problems > 0 || undefined}
      aria-pressed={selected === place}
      title={said}
      onClick={() => select(place)}
    >
      {ruleIcons[name]}
      <span className={classes.name}>{words.rules[name]}</span>
      <span className={classes.said}>{said ?? t.noRule[name]}</span>
      {problems > 0 && (
        <span className={classes.problem}>
          <AlertIcon size={13} />
          {t.faultsAt(problems)}
        </span>
      )}
    </UnstyledButton>
  );
}
