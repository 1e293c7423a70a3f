import { Select } from '@mantine/core';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';
import { type WindowWord, windowOf, withWindow } from '../model/begin.ts';
import type { FilterJson } from '../model/filter-json.ts';
import { DurationInput } from './duration-input.tsx';
import { TimeInput } from './time-input.tsx';

interface WindowInputProps {
  json: FilterJson;
  onChange: (json: FilterJson) => void;
  isReadOnly: boolean;
  words?: readonly WindowWord[];
}

/** When: ever, recently, or between two days, either of which may be open. */
export function WindowInput({ json, onChange, isReadOnly, words = ['ever', 'last', 'dates'] }: WindowInputProps) {
  const word = windowOf(json);
  const setEnd = (key: 'from' | 'to') => (time: string) => {
    const { [key]: _old, ...rest } = json;
    const isLast = time === '' && rest.from === undefined && rest.to === undefined;
    onChange(time === '' && !isLast ? rest : { ...rest, [key]: time });
  };
  return (
    <div className={classes.pair ?? ''}>
      <Select
        aria-label={t.window}
        className={classes.word ?? ''}
        data={words.map((each) => ({ value: each, label: t.windows[each] }))}
        value={word}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={(next) => onChange(withWindow(json, (next ?? 'ever') as WindowWord))}
      />
      {word === 'last' && (
        <DurationInput
          value={json.withinLast}
          isReadOnly={isReadOnly}
          onChange={(withinLast) => onChange({ ...json, withinLast })}
        />
      )}
      {word === 'dates' && (
        <>
          <TimeInput label={t.starts} value={json.from} isReadOnly={isReadOnly} onChange={setEnd('from')} />
          <TimeInput label={t.ends} value={json.to} isReadOnly={isReadOnly} onChange={setEnd('to')} />
        </>
      )}
    </div>
  );
}
