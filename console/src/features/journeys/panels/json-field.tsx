import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../texts/journey-steps.ts';
import classes from './json-field.module.css';

type JsonObject = Readonly<Record<string, unknown>>;

interface JsonFieldProps {
  label: string;
  hint?: string;
  value: JsonObject | undefined;
  onChange: (value: JsonObject | undefined) => void;
  isReadOnly: boolean;
  rows?: number;
}

/** A JSON object as text. Incomplete input stays in the field and changes nothing. */
export function JsonField({ label, hint, value, onChange, isReadOnly, rows = 3 }: JsonFieldProps) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const read = objectOf(text);
  return (
    <Textarea
      label={label}
      description={hint}
      autosize
      minRows={rows}
      maxRows={24}
      value={text}
      readOnly={isReadOnly}
      error={read === 'bad' ? t.notAnObject : undefined}
      classNames={{ input: classes.code ?? '' }}
      spellCheck={false}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        const object = objectOf(next);
        if (object !== 'bad') onChange(object);
      }}
    />
  );
}

export function objectOf(text: string): JsonObject | undefined | 'bad' {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : 'bad';
  } catch {
    return 'bad';
  }
}
