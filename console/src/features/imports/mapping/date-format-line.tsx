import { Select } from '@mantine/core';
import { t } from '../../../texts/imports.ts';
import { type DateFormat, dateFormats, otherOrder, readDate } from '../dates/date-format.ts';
import classes from './mapping-form.module.css';
import type { Target } from './mapping-target.ts';

interface DateFormatLineProps {
  column: string;
  target: Extract<Target, { kind: 'property' }>;
  samples: readonly string[];
  isDisabled: boolean;
  onChange: (format: DateFormat) => void;
}

/** How the dates of a column are read, with one of them as an example. */
export function DateFormatLine({ column, target, samples, isDisabled, onChange }: DateFormatLineProps) {
  const { format = 'ymd', isSure = true } = target;
  const readable = samples.find((cell) => readDate(cell, format) !== undefined);
  const read = readable === undefined ? undefined : readDate(readable, format);
  const other = otherOrder[format];
  const otherwise = isSure || readable === undefined || !other ? undefined : readDate(readable, other);
  return (
    <div className={classes.format}>
      <Select
        aria-label={t.dateFormat(column)}
        data={dateFormats.map((value) => ({ value, label: t.dateFormats[value] }))}
        value={format}
        allowDeselect={false}
        disabled={isDisabled}
        onChange={(next) => next && onChange(next as DateFormat)}
      />
      <span className={classes.read} data-unsure={otherwise !== undefined || undefined} role="note">
        {readable === undefined || read === undefined ? t.noDateReads : t.readAs(readable, read)}
        {otherwise !== undefined && ` ${t.orElse(otherwise)}`}
      </span>
    </div>
  );
}
