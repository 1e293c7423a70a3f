import { Select } from '@mantine/core';
import { eventMeasures, type MeasureName, namesOf } from '@rapport/contract';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';
import { CountInput } from '../inputs/count-input.tsx';
import { PathInput } from '../inputs/path-input.tsx';
import { WindowInput } from '../inputs/window-input.tsx';
import { withMeasure } from '../model/begin.ts';
import { hasOf, isCounted, measureOf } from '../model/conditions.ts';
import { EventValueFields, type FieldsProps, PlainFields } from './value-fields.tsx';
import { WhereFields } from './where-fields.tsx';

/** What a contact did, measured: how often, how much, when. */
export function EventFields({ json, onChange, isReadOnly }: FieldsProps) {
  const measure = measureOf(json);
  const eventName = typeof json.event === 'string' ? json.event : '';
  const props = { json, onChange, isReadOnly };
  return (
    <>
      <Select
        aria-label={t.measure}
        className={classes.word ?? ''}
        data={namesOf(eventMeasures).map((each) => ({ value: each, label: t.measures[each] }))}
        value={measure}
        allowDeselect={false}
        disabled={isReadOnly}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(next) => onChange(withMeasure(json, (next ?? 'count') as MeasureName))}
      />
      {hasOf(measure) && (
        <PathInput
          label={t.of}
          eventName={eventName}
          value={json.of}
          isReadOnly={isReadOnly}
          onChange={(of) => onChange({ ...json, of })}
        />
      )}
      {isCounted(measure) && <CountInput {...props} unit={measure === 'count' ? t.times : () => ''} />}
      {measure === 'latest' && <EventValueFields {...props} path={json.of} eventName={eventName} />}
      {(measure === 'first' || measure === 'last') && <PlainFields {...props} types={['time']} />}
      {!isCounted(measure) && !['latest', 'first', 'last'].includes(measure) && (
        <PlainFields {...props} types={['number']} />
      )}
      {measure !== 'first' && measure !== 'last' && <WindowInput {...props} />}
      <WhereFields {...props} eventName={eventName} />
    </>
  );
}
