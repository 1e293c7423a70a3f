import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../texts/filter.ts';
import classes from './builder.module.css';
import { type FilterJson, parseFilter } from './model/filter-json.ts';

interface JsonViewProps {
  filter: FilterJson;
  onChange: (filter: FilterJson) => void;
  isReadOnly: boolean;
}

/** The filter as the API takes it, for what is rare and for whoever writes programs. */
export function JsonView({ filter, onChange, isReadOnly }: JsonViewProps) {
  const [text, setText] = useState(() => JSON.stringify(filter, null, 2));
  const isWrong = parseFilter(text) === undefined;
  return (
    <Textarea
      aria-label={t.editJson}
      description={t.jsonHint}
      classNames={{ root: classes.jsonView ?? '', input: classes.json ?? '' }}
      autosize
      minRows={8}
      maxRows={30}
      spellCheck={false}
      readOnly={isReadOnly}
      value={text}
      error={isWrong ? <Text span>{t.jsonFault}</Text> : undefined}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const read = parseFilter(event.currentTarget.value);
        if (read) onChange(read);
      }}
    />
  );
}
