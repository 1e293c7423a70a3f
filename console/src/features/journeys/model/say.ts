// Steps, ways and entries in words, with the names of what they refer to.
import { type AssetKind, assetFields } from '@rapport/contract';
import { sayDuration } from '../../../shared/duration.ts';
import { exactTime } from '../../../shared/relative-time.ts';
import { t } from '../../../texts/journey-steps.ts';
import { isEmptyFilter } from '../../audiences/builder/model/filter-json.ts';
import { filterWords } from '../../audiences/filter-words.ts';
import type { Case, Definition, Delay, Entry, ListRef, SetTopic, Step } from './definition.ts';
import type { Slot } from './ways.ts';

/** Names by id; undefined while they are not here yet. */
export interface Names {
  readonly emails: ReadonlyMap<string, string> | undefined;
  readonly lists: ReadonlyMap<string, string> | undefined;
  readonly journeys: ReadonlyMap<string, string> | undefined;
  readonly topics: ReadonlyMap<string, string> | undefined;
  readonly forms: ReadonlyMap<string, string> | undefined;
}

interface Said {
  /** Its name, or else what kind of step it is. */
  readonly title: string;
  /** What it does; of a step with a name also the kind. */
  readonly detail: string;
  /** Something has to be chosen yet. */
  readonly isUnfinished: boolean;
}

export function sayStep(step: Step, names: Names): Said {
  const { title: kind } = t.steps[step.type];
  const { text, isMissing } = detailOf(step, names);
  const name = step.name?.trim();
  if (!name) return { title: kind, detail: text, isUnfinished: isMissing };
  return { title: name, detail: [kind, text].filter(Boolean).join(' · '), isUnfinished: isMissing };
}

/** In a line about its problems: the id tells two steps without a name apart. */
export function callStep({ steps }: Definition, id: string): string {
  return steps.find((step) => step.id === id)?.name?.trim() || id;
}

interface Detail {
  text: string;
  isMissing: boolean;
}

const done = (text: string): Detail => ({ text, isMissing: false });
const missing = (text: string): Detail => ({ text, isMissing: true });
const named = (id: string | undefined, names: ReadonlyMap<string, string> | undefined, wanted: string): Detail =>
  id === undefined || id === '' ? missing(wanted) : done(names ? (names.get(id) ?? t.gone) : '…');

/** Where names of each kind are found, and what is asked for while none is chosen. */
export const assets: Readonly<Record<AssetKind, { names: keyof Names; wanted: string }>> = {
  email: { names: 'emails', wanted: t.missing.email },
  staticList: { names: 'lists', wanted: t.missing.list },
  journey: { names: 'journeys', wanted: t.missing.journey },
  triggerJourney: { names: 'journeys', wanted: t.missing.journey },
  topic: { names: 'topics', wanted: t.missing.topic },
};

function detailOf(step: Step, names: Names): Detail {
  switch (step.type) {
    case 'delay':
      return sayDelay(step);
    case 'waitUntil':
      return sayWait(step.branches, step.timeout);
    case 'branch':
      return done(t.cases(step.cases.length));
    case 'split':
      return done(step.arms.map(({ name, percent }) => `${name} ${percent}%`).join(' · '));
    case 'updateProperty':
      return step.property ? done(sayUpdate(step.property, step.value)) : missing(t.missing.property);
    case 'webhook':
      return step.url ? done(hostOf(step.url)) : missing(t.missing.address);
    case 'emitEvent':
      return step.eventName ? done(step.eventName) : missing(t.missing.event);
    case 'setTopic':
      return sayTopic(step, names);
    case 'exit':
      return done(step.reason ?? '');
    default:
      return sayNamed(step, names);
  }
}

function sayTopic({ topicId, state }: SetTopic, names: Names): Detail {
  const { text, isMissing } = named(topicId, names.topics, t.missing.topic);
  if (isMissing) return missing(text);
  return state ? done(t.topicSet[state](text)) : missing(t.missing.topicState);
}

/** A step about something that it names. */
function sayNamed(step: Step, names: Names): Detail {
  const said = assetFields(step.type).map(([field, kind]) =>
    named(
      (step as Readonly<Record<string, unknown>>)[field] as string | undefined,
      names[assets[kind].names],
      assets[kind].wanted,
    ),
  );
  const words = [
    ...said.map(({ text }) => text),
    ...('transactional' in step && step.transactional ? [t.transactional] : []),
  ];
  return { text: words.join(' · '), isMissing: said.some(({ isMissing }) => isMissing) };
}

function sayDelay(step: Delay): Detail {
  const spread = step.spread ? t.spread(sayDuration(step.spread)) : '';
  if (step.for !== undefined) return done(`${t.waitFor(sayDuration(step.for))}${spread}`);
  if (step.untilTime !== undefined) return done(`${t.waitUntilTime(step.untilTime, sayDays(step.days))}${spread}`);
  if (step.untilLocal !== undefined)
    return step.untilLocal === '' ? missing(t.missing.time) : done(`${t.waitUntilLocal(step.untilLocal)}${spread}`);
  if (step.untilProperty === undefined) return missing(t.missing.time);
  if (step.untilProperty === '') return missing(t.missing.property);
  return done(`${t.waitUntilProperty(step.untilProperty, sayOffset(step.offset))}${spread}`);
}

function sayDays(days: readonly number[] | undefined): string {
  return days && days.length < 7 ? days.map((day) => t.weekdays[day - 1] ?? '').join(', ') : '';
}

function sayOffset(offset: string | undefined): string {
  if (!offset) return '';
  const words = sayDuration(offset.replace(/^[+-]/, ''));
  return offset.startsWith('-') ? t.before(words) : t.afterwards(words);
}

function sayWait(branches: Extract<Step, { type: 'waitUntil' }>['branches'], timeout: string | undefined): Detail {
  const words = branches.map(({ event, filter }) => (event ? event.eventName : filter ? sayCondition(filter) : ''));
  if (words.some((word) => word === '')) return missing(t.missing.event);
  return done(`${words.join(' / ')}${timeout ? `, ${t.atMost(sayDuration(timeout))}` : ''}`);
}

function sayUpdate(key: string, value: unknown): string {
  if (value === null || value === undefined) return t.unset(key);
  if (typeof value === 'object' && 'entry' in value) return t.setTo(key, t.fromEntry([value.entry].flat().join('.')));
  return t.setTo(key, String(value));
}

function hostOf(url: string): string {
  try {
    return new URL(url).host || url;
  } catch {
    return url;
  }
}

/** What stands on a line. Undefined where there is only one way to go. */
export function sayWay(step: Step, slot: Slot): string | undefined {
  const at = Number(slot.split('.')[1]);
  if (slot === 'otherwise') return t.ways.otherwise;
  if (slot === 'onError') return t.ways.onError;
  if (slot === 'onTimeout' && step.type === 'waitUntil')
    return step.timeout ? t.ways.onTimeout(sayDuration(step.timeout)) : t.ways.onTimeoutBare;
  if (step.type === 'branch') return sayCondition(step.cases[at]?.filter);
  if (step.type === 'split') return t.ways.arm(step.arms[at]?.name ?? '', step.arms[at]?.percent ?? 0);
  if (step.type !== 'waitUntil') return undefined;
  const branch = step.branches[at];
  if (branch?.event) return branch.event.eventName || t.missing.event;
  return branch?.filter ? sayCondition(branch.filter) : t.missing.event;
}

/** Beside “Otherwise”, “everyone” would be a riddle. */
function sayCondition(filter: Case['filter'] | undefined): string {
  return filter && isEmptyFilter(filter) ? t.unconditional : filterWords(filter);
}

export function sayEntry(entry: Entry, names: Names): Detail {
  const { entrySays } = t;
  const list = (ref: ListRef | undefined) => named(ref?.dynamicListId ?? ref?.staticListId, names.lists, '');
  if (entry.event)
    return entry.event.eventName ? done(entrySays.event(entry.event.eventName)) : missing(t.missing.event);
  const of = entry.joined ?? entry.left ?? entry.audience;
  if (of) {
    const { text, isMissing } = list(of);
    if (isMissing) return missing(t.missing.list);
    if (entry.audience) return done(`${entrySays.audience(quoted(text))}, ${saySchedule(entry)}`);
    return done((entry.joined ? entrySays.joined : entrySays.left)(quoted(text)));
  }
  if (entry.propertyChanged) return sayChange(entry.propertyChanged);
  if (entry.topic) return sayTopicEntry(entry.topic, names);
  if (entry.form) {
    const { text, isMissing } = named(entry.form.formId, names.forms, t.missing.form);
    return isMissing ? missing(text) : done(entrySays.form(quoted(text)));
  }
  if (entry.date)
    return entry.date.property
      ? done(
          `${entrySays.date(entry.date.property)}${sayOffset(entry.date.offset)}${entry.date.yearly ? entrySays.yearly : ''}`,
        )
      : missing(t.missing.property);
  return entry.api ? done(entrySays.api) : missing(t.missing.entry);
}

function sayChange({ property, to }: { property: string; to?: unknown }): Detail {
  if (!property) return missing(t.missing.property);
  return done(`${t.entrySays.propertyChanged(property)}${to === undefined ? '' : t.entrySays.to(String(to))}`);
}

function sayTopicEntry({ topicId, becomes }: NonNullable<Entry['topic']>, names: Names): Detail {
  const { text, isMissing } = named(topicId, names.topics, t.missing.topic);
  if (isMissing) return missing(text);
  return becomes ? done(t.entrySays.topic[becomes](quoted(text))) : missing(t.missing.topicState);
}

function saySchedule({ schedule }: Entry): string {
  if (schedule?.at) return t.entrySays.at(exactTime(schedule.at));
  if (schedule?.cron) return t.entrySays.cron(schedule.cron, schedule.timeZone ?? '');
  return t.entrySays.once;
}

const quoted = (text: string): string => `“${text}”`;
