import { TextInput } from '@mantine/core';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';

interface TimeInputProps {
  value: unknown;
  onChange: (time: string) => void;
  isReadOnly: boolean;
  label?: string;
}

/** A day, with the browser's own calendar. A time of day that a filter already has stays text, so that nothing of it is lost. */
export function TimeInput({ value, onChange, isReadOnly, label = t.date }: TimeInputProps) {
  const text = typeof value === 'string' ? value : '';
  return (
    <TextInput
      type={text === '' || /^\d{4}-\d\d-\d\d$/.test(text) ? 'date' : 'text'}
      aria-label={label}
      className={classes.short ?? ''}
      value={text}
      disabled={isReadOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
