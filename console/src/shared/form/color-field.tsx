import { TextInput } from '@mantine/core';
import { t } from '../../texts/shared.ts';
import classes from './color-field.module.css';

interface ColorFieldProps {
  label: string;
  description?: string | undefined;
  value: string;
  error?: string | undefined;
  /** Shown by the swatch while the field is empty. */
  usual: string;
  onChange: (color: string) => void;
}

/** A color as text, and the browser's own picker beside it. */
export function ColorField({ label, description, value, error, usual, onChange }: ColorFieldProps) {
  return (
    <TextInput
      {...{ label, description, value, error }}
      placeholder={usual}
      maxLength={7}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        <input
          type="color"
          className={classes.swatch}
          aria-label={t.pickColor(label)}
          value={/^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : usual}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
    />
  );
}
