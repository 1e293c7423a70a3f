// A filter in a few words. The whole sentence comes from the service; on a line of the canvas there is room for the gist.
import { durationParts, isOperator, operators, topicStates } from '@rapport/contract';
import { sayDuration } from '../../shared/duration.ts';
import { t } from '../../texts/filter-words.ts';
import type { FilterJson } from './builder/model/filter-json.ts';

export function filterWords(filter: FilterJson | undefined): string {
  if (!filter) return t.other;
  const { all, any, none } = filter;
  if (Array.isArray(all)) return all.length === 0 ? t.everybody : joined(all, t.all);
  if (Array.isArray(any)) return any.length === 0 ? t.nobody : joined(any, t.any);
  if (Array.isArray(none)) return none.length === 0 ? t.everybody : t.none(joined(none, t.any));
  return conditionWords(filter);
}

function joined(filters: readonly unknown[], word: string): string {
  const [first, second, ...rest] = filters.map((each) => filterWords(each as FilterJson));
  if (second === undefined) return first ?? '';
  const words = `${first}${word}${second}`;
  return rest.length === 0 ? words : t.more(words, rest.length);
}

function conditionWords(filter: FilterJson): string {
  const { property, userProperty, orgProperty, contact, organization, eventProperty, eventField } = filter;
  const key = property ?? userProperty ?? orgProperty ?? contact ?? organization ?? eventProperty ?? eventField;
  if (key !== undefined) return t.property(Array.isArray(key) ? key.join('.') : String(key), operatorWords(filter));
  if (typeof filter.event === 'string') return eventWords(filter, filter.event);
  if (typeof filter.marketing === 'string') return t.marketing(filter.marketing);
  if ('staticListId' in filter || 'dynamicListId' in filter) return t.inList;
  if ('unsubscribed' in filter) return filter.unsubscribed === false ? t.subscribed : t.unsubscribed;
  if ('topic' in filter) return topicWords(filter);
  if ('journeyId' in filter) return t.inJourney;
  if ('bucket' in filter) return t.bucket;
  return 'sequence' in filter ? t.sequence : t.other;
}

function topicWords({ is, isNot }: FilterJson): string {
  const state = topicStates.find((each) => each === is || each === isNot);
  if (state === undefined) return t.other;
  return isNot === undefined ? t.topic[state] : t.not(t.topic[state]);
}

function eventWords(filter: FilterJson, event: string): string {
  if (filter.exactly === 0 || filter.atMost === 0) return t.didNot(event);
  const counts: [string, string][] = [
    ['atLeast', '≥'],
    ['atMost', '≤'],
    ['exactly', '='],
  ];
  const said = counts.flatMap(([key, sign]) => (typeof filter[key] === 'number' ? [`${sign} ${filter[key]}`] : []));
  const isOnce = filter.measure === undefined && (said.length === 0 || (said.length === 1 && filter.atLeast === 1));
  return isOnce ? t.did(event) : t.didTimes(event, said.join(' ') || operatorWords(filter));
}

function operatorWords(filter: FilterJson): string {
  if ('exists' in filter) return filter.exists === false ? t.missing : t.exists;
  const operator = Object.keys(filter).find(isOperator);
  if (!operator) return '';
  const { words, short = words }: { words: string; short?: string } = operators[operator];
  return `${short} ${valueWords(filter[operator])}`;
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, 3).map(valueWords).join(', ') + (value.length > 3 ? ' …' : '');
  if (typeof value === 'string') return durationParts(value)?.length ? sayDuration(value) : value;
  return typeof value === 'object' && value !== null && 'entry' in value ? `{${String(value.entry)}}` : String(value);
}
