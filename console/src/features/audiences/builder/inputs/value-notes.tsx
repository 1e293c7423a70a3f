// What the stored values say about a condition: those of another type than it compares, and those that only look like the one that is meant.
import { Button } from '@mantine/core';
import type { PropertyOwner } from '@rapport/contract';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';
import { operatorsOf } from '../model/conditions.ts';
import type { FilterJson, Scalar } from '../model/filter-json.ts';
import { operatorIn } from '../model/operators.ts';
import { likeness, othersBeside, withThem } from '../model/value-facts.ts';
import { useValueFacts, type ValueFacts } from '../suggestions.ts';

interface ValueNotesProps {
  json: FilterJson;
  onChange: (json: FilterJson) => void;
  isReadOnly: boolean;
  of: PropertyOwner;
  name: string;
}

export function ValueNotes({ of, name, ...props }: ValueNotesProps) {
  const operator = operatorIn(props.json, operatorsOf(props.json));
  const facts = useValueFacts(of, name, operator !== undefined && operator !== 'exists');
  if (!operator || !facts) return null;
  return (
    <>
      <OtherTypes {...props} of={of} facts={facts} />
      <LookAlikes {...props} facts={facts} />
    </>
  );
}

function OtherTypes({ json, of, facts }: Pick<ValueNotesProps, 'json' | 'of'> & { facts: ValueFacts }) {
  const others = othersBeside(json, facts);
  if (!others) return null;
  const { wanted, count, total, examples, doMatch } = others;
  return (
    <p className={classes.note}>
      {t.otherTypes[wanted](count, total, examples.map(t.valueNamed))} {doMatch ? t.theyMatch : t.theyDoNotMatch}{' '}
      {t.seenIn[of](facts.sampled)}
    </p>
  );
}

function LookAlikes({
  json,
  onChange,
  isReadOnly,
  facts,
}: Omit<ValueNotesProps, 'of' | 'name'> & { facts: ValueFacts }) {
  const { of, others, groups } = likeness(json, facts);
  const named = ({ value, count }: { value: Scalar; count: number }) => t.valueCounted(t.valueNamed(value), count);
  if (others.length === 0)
    return groups.length === 0 ? null : (
      <p className={classes.note}>{t.lookAlikes(groups.map((group) => t.inRow(group.map(named))))}</p>
    );
  const wider = withThem(json, others);
  return (
    <p className={classes.note}>
      {t.looksLike(t.inRow(of.map(t.valueNamed)), t.inRow(others.map(named)), others.length)}
      {wider && !isReadOnly && (
        <Button variant="subtle" size="compact-xs" onClick={() => onChange(wider)}>
          {t.includeThem(others.length)}
        </Button>
      )}
    </p>
  );
}
