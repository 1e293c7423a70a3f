import { t } from '../../../../texts/filter.ts';
import { whole } from '../../../../texts/numbers.ts';
import classes from '../controls.module.css';
import type { Suggestions } from '../suggestions.ts';

/** Values for a field that suggests them, under a heading that says where the counts come from. */
export function choicesOf({ values, sampled }: Suggestions, isOffered: (text: string) => boolean = () => true) {
  const items = [...new Set(values.map(({ value }) => String(value)))].filter(isOffered);
  return items.length === 0 ? [] : [{ group: sampled === undefined ? '' : t.countedAmong(sampled), items }];
}

/** A value and how many have it. */
export function CountedOption({ text, suggestions }: { text: string; suggestions: Suggestions }) {
  const counts = suggestions.values.flatMap(({ value, count }) => (String(value) === text ? [count ?? 0] : []));
  const count = counts.reduce((sum, each) => sum + each, 0);
  return (
    <span className={classes.option}>
      <span>{text.trim() === text ? text : t.quoted(text)}</span>
      {count > 0 && <span className={classes.count}>{whole(count)}</span>}
    </span>
  );
}
