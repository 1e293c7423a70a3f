// One important number: what it is, how it changed, and, one click away, its definition.
import { ActionIcon, Popover, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { t } from '../texts/figure.ts';
import { percent, points } from '../texts/numbers.ts';
import classes from './figure.module.css';
import { InfoIcon } from './icons.tsx';

interface FigureProps {
  label: string;
  value: ReactNode;
  /** The definition of the number, in a sentence or two. */
  definition: string;
  /** Below it: a rate or a share. */
  note?: ReactNode;
  /** The value of the period before; undefined if there is nothing to compare with. */
  before?: Before;
}

interface Before {
  now: number;
  then: number;
  isGoodUp?: boolean;
  /** Both are shares, which differ in points. */
  isShare?: boolean;
}

export function Figure({ label, value, definition, note, before }: FigureProps) {
  return (
    <div className={classes.figure}>
      <div className={classes.label}>
        {label}
        <Definition of={label} text={definition} />
      </div>
      <div className={classes.value}>{value}</div>
      <div className={classes.note}>
        {note}
        {before && <Change {...before} />}
      </div>
    </div>
  );
}

export function Definition({ of, text }: { of: string; text: string }) {
  const [opened, { toggle, close }] = useDisclosure(false);
  // Only text, so no dialog that takes the focus. It is announced when it appears, and closes on blur.
  return (
    <Popover
      opened={opened}
      onDismiss={close}
      withRoles={false}
      width={280}
      position="bottom-start"
      withArrow
      shadow="md"
    >
      <Popover.Target>
        <ActionIcon
          variant="transparent"
          color="gray"
          size="sm"
          aria-label={t.whatIs(of)}
          aria-expanded={opened}
          onClick={toggle}
          onBlur={close}
          onKeyDown={(event) => event.key === 'Escape' && close()}
        >
          <InfoIcon size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown role="status">
        <Text size="sm">{text}</Text>
      </Popover.Dropdown>
    </Popover>
  );
}

function Change({ now, then, isGoodUp = true, isShare = false }: Before) {
  if (then === 0) return <span>{now === 0 ? t.asBefore : t.noneBefore}</span>;
  const change = (now - then) / then;
  const isGood = change === 0 ? undefined : change > 0 === isGoodUp;
  return (
    <span className={isGood === undefined ? undefined : isGood ? classes.good : classes.bad}>
      {isShare ? t.change(points(now - then)) : wordsOf(change)}
    </span>
  );
}

/** If the earlier value is very small, a factor says more than a percentage. */
function wordsOf(change: number): string {
  if (change >= 10) return t.times(Math.round(change + 1));
  return t.change(`${change > 0 ? '+' : change < 0 ? '−' : ''}${percent(Math.abs(change))}`);
}
