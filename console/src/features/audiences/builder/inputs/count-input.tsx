import { NumberInput, Select, Text } from '@mantine/core';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';
import { type CountWord, countOf, withCount } from '../model/begin.ts';
import type { FilterJson } from '../model/filter-json.ts';

interface CountInputProps {
  json: FilterJson;
  onChange: (json: FilterJson) => void;
  isReadOnly: boolean;
  /** Behind the number: “times”. */
  unit: (count: number) => string;
  words?: readonly CountWord[];
}

const allWords: readonly CountWord[] = ['atLeast', 'atMost', 'exactly', 'between', 'never'];

/** How often something happened. */
export function CountInput({ json, onChange, isReadOnly, unit, words = allWords }: CountInputProps) {
  const { word, low, high } = countOf(json);
  const number = (label: string, value: number, set: (next: number) => void) => (
    <NumberInput
      aria-label={label}
      className={classes.tiny ?? ''}
      value={value}
      min={0}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      disabled={isReadOnly}
      onChange={(next) => set(Number(next) || 0)}
    />
  );
  return (
    <div className={classes.pair ?? ''}>
      <Select
        aria-label={t.counts}
        className={classes.word ?? ''}
        data={words.map((each) => ({ value: each, label: t.countWords[each] }))}
        value={word}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={(next) =>
          onChange(withCount(json, (next ?? 'atLeast') as CountWord, Math.max(1, low), Math.max(1, high)))
        }
      />
      {word !== 'never' &&
        word !== 'atMost' &&
        number(t.low, low, (next) => onChange(withCount(json, word, next, high)))}
      {word === 'between' && <Text span>{t.to}</Text>}
      {(word === 'between' || word === 'atMost') &&
        number(t.high, high, (next) => onChange(withCount(json, word, low, next)))}
      {word !== 'never' && <Text span>{unit(word === 'between' || word === 'atMost' ? high : low)}</Text>}
    </div>
  );
}
