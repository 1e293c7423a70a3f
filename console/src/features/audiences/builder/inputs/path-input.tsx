import { Autocomplete } from '@mantine/core';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';
import { pathOf, sayPath } from '../model/path.ts';
import { useEventProperties } from '../suggestions.ts';

interface PathInputProps {
  label: string;
  eventName: string | undefined;
  value: unknown;
  onChange: (path: string | readonly string[]) => void;
  isReadOnly: boolean;
}

/** A property of an event: offers those that its events have, including nested ones. */
export function PathInput({ label, eventName, value, onChange, isReadOnly }: PathInputProps) {
  const known = useEventProperties(eventName);
  return (
    <Autocomplete
      aria-label={label}
      className={classes.value ?? ''}
      placeholder={t.of}
      title={t.pathHint}
      value={sayPath(value)}
      data={known.map(({ path }) => sayPath(path))}
      disabled={isReadOnly}
      onChange={(text) => onChange(pathOf(text))}
      maxDropdownHeight={260}
    />
  );
}
