import { Button, Group, Progress, Text } from '@mantine/core';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { AlertIcon, CheckIcon, InfoIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/import-check.ts';
import { otherOrder } from '../dates/date-format.ts';
import type { MappedColumn } from '../mapping/mapping-target.ts';
import classes from './check-card.module.css';
import type { Checked, Finding } from './checker.ts';
import type { Check } from './use-check.ts';
import { useCreateList } from './use-create-list.ts';

interface CheckCardProps {
  check: Check;
  columns: readonly MappedColumn[];
  isDisabled: boolean;
  /** Reads the dates of a column with day and month the other way round. */
  onTurn: (at: number) => void;
}

/** What every row of the file will do, before anything is written. */
export function CheckCard({ check, columns, isDisabled, onTurn }: CheckCardProps) {
  if (check.state === 'waiting') return null;
  if (check.state === 'failed') return <ErrorState error={check.error} compact />;
  if (check.state === 'checking')
    return (
      <Card title={t.title}>
        <Text role="status">{t.checking(check.share)}</Text>
        <Progress value={check.share * 100} aria-label={t.title} mt="xs" />
      </Card>
    );
  const { checked } = check;
  return (
    <Card title={t.title}>
      <Text role="status">{t.ready(checked.rows - checked.refused, checked.rows)}</Text>
      <ul className={classes.findings}>
        {checked.findings.map((finding) => (
          <Line
            key={`${finding.kind} ${finding.at}`}
            {...{ finding, checked, columns, isDisabled }}
            onTurn={() => finding.at !== undefined && onTurn(finding.at)}
          />
        ))}
        {checked.suppressed > 0 && (
          <li className={classes.finding} data-tone="quiet">
            <InfoIcon />
            <span>{t.suppressed(checked.suppressed)}</span>
          </li>
        )}
        {checked.findings.length === 0 && (
          <li className={classes.finding} data-tone="good">
            <CheckIcon />
            <span>{t.nothingFound}</span>
          </li>
        )}
      </ul>
      {checked.isPartlyCompared && (
        <Text c="dimmed" mt="xs">
          {t.partlyCompared}
        </Text>
      )}
    </Card>
  );
}

interface LineProps {
  finding: Finding;
  checked: Checked;
  columns: readonly MappedColumn[];
  isDisabled: boolean;
  onTurn: () => void;
}

function Line({ finding, checked, columns, isDisabled, onTurn }: LineProps) {
  const { kind, at, rows, examples } = finding;
  const column = at === undefined ? undefined : columns[at];
  const isMild = kind === 'duplicate' || kind === 'unknownList';
  const dates = kind === 'badDate' && at !== undefined ? checked.dates.get(at) : undefined;
  const isBetterTurned =
    dates !== undefined &&
    dates.badOtherwise < dates.bad &&
    column?.target.kind === 'property' &&
    otherOrder[column.target.format ?? 'ymd'] !== undefined;
  return (
    <li className={classes.finding} data-tone={isMild ? 'warn' : 'bad'}>
      <AlertIcon />
      <div>
        <div>{t.found[kind](rows, column?.name ?? '')}</div>
        <div className={classes.examples}>{t.examples(examples, rows)}</div>
        {isBetterTurned && (
          <Button variant="default" size="xs" mt="xs" disabled={isDisabled} onClick={onTurn}>
            {t.turn(dates.bad - dates.badOtherwise)}
          </Button>
        )}
        {kind === 'unknownList' && <CreateLists names={checked.unknownLists} isDisabled={isDisabled} />}
      </div>
    </li>
  );
}

function CreateLists({ names, isDisabled }: { names: readonly string[]; isDisabled: boolean }) {
  const create = useCreateList();
  return (
    <Group gap="xs" mt="xs">
      {names.map((name) => (
        <Button
          key={name}
          variant="default"
          size="xs"
          disabled={isDisabled || create.isPending}
          onClick={() => create.mutate(name)}
        >
          {t.createList(name)}
        </Button>
      ))}
    </Group>
  );
}
