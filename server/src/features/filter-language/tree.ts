// A filter that was read and checked: what the compiler, the sentence writer and the index of what it reads work on.
import type { contactFields, Duration, eventFields, organizationFields, Wanting } from '@rapport/contract';
import type { Subject } from './subject.js';

/** `path` is where it stood in the JSON, as faults and explanations name it: `filter.all[2]`. */
export type Filter = Group<Filter> | Condition;

export interface Group<Part> {
  readonly kind: 'all' | 'any' | 'none';
  readonly path: string;
  readonly of: readonly Part[];
}

export type Condition =
  | PropertyCondition
  | ContactCondition
  | UserPropertyCondition
  | OrgPropertyCondition
  | OrganizationCondition
  | OrgMembersCondition
  | EventCondition
  | SequenceCondition
  | StaticListCondition
  | DynamicListCondition
  | BucketCondition
  | RegisteredCondition;

export type { Duration };
export type Scalar = string | number | boolean;

/** One operator on a value. Times are written as the API writes them: `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
export type ValueTest =
  | { readonly op: Wanting<'scalar'>; readonly value: Scalar }
  | { readonly op: Wanting<'scalars'>; readonly values: readonly Scalar[] }
  | { readonly op: Wanting<'text'>; readonly text: string }
  | { readonly op: Wanting<'flag'>; readonly value: boolean }
  | { readonly op: Wanting<'number'>; readonly value: number }
  | { readonly op: Wanting<'range'>; readonly low: number; readonly high: number }
  | { readonly op: Wanting<'time'>; readonly at: string }
  | { readonly op: Wanting<'duration'>; readonly duration: Duration };

/** How many: `exactly: 3` is read as `atLeast: 3, atMost: 3`, and nothing as `atLeast: 1`. */
export interface CountTest {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

export interface PropertyCondition {
  readonly kind: 'property';
  readonly path: string;
  readonly key: string;
  readonly test: ValueTest;
}

export interface ContactCondition {
  readonly kind: 'contact';
  readonly path: string;
  readonly field: keyof typeof contactFields;
  readonly test: ValueTest;
}

export interface UserPropertyCondition {
  readonly kind: 'userProperty';
  readonly path: string;
  readonly key: string;
  readonly test: ValueTest;
}

export interface OrgPropertyCondition {
  readonly kind: 'orgProperty';
  readonly path: string;
  readonly key: string;
  readonly test: ValueTest;
}

export interface OrganizationCondition {
  readonly kind: 'organization';
  readonly path: string;
  readonly field: keyof typeof organizationFields;
  readonly test: ValueTest;
}

export interface OrgMembersCondition {
  readonly kind: 'orgMembers';
  readonly path: string;
  readonly where: Filter;
  readonly count: CountTest;
}

/** Which events count: both ends of `from` and `to` belong to it. */
export interface EventWindow {
  readonly withinLast?: Duration | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** How often something happened in a window. */
export interface Counted {
  readonly count: CountTest;
  readonly window: EventWindow;
}

/** What is looked at in the events that count, and what is asked of it. */
export type Measure =
  | { readonly of: 'count'; readonly count: CountTest }
  | { readonly of: 'distinct'; readonly at: readonly string[]; readonly count: CountTest }
  /** `test` is one of lt, lte, gt, gte, between, is. */
  | { readonly of: 'sum' | 'avg' | 'min' | 'max'; readonly at: readonly string[]; readonly test: ValueTest }
  /** `test` is one of before, after, withinLast, notWithinLast. */
  | { readonly of: 'first' | 'last'; readonly test: ValueTest }
  | { readonly of: 'latest'; readonly at: readonly string[]; readonly test: ValueTest };

export interface EventCondition {
  readonly kind: 'event';
  readonly path: string;
  readonly name: string;
  readonly measure: Measure;
  readonly window: EventWindow;
  readonly where?: EventFilter | undefined;
}

/** A filter over one event. */
export type EventFilter = Group<EventFilter> | EventPropertyCondition | EventFieldCondition;

export interface EventPropertyCondition {
  readonly kind: 'eventProperty';
  readonly path: string;
  /** Keys from the outside in. */
  readonly at: readonly string[];
  readonly test: ValueTest;
}

export interface EventFieldCondition {
  readonly kind: 'eventField';
  readonly path: string;
  readonly field: keyof typeof eventFields;
  readonly test: ValueTest;
}

export interface SequenceCondition {
  readonly kind: 'sequence';
  readonly path: string;
  readonly steps: readonly SequenceStep[];
  readonly withinLast?: Duration | undefined;
}

export interface SequenceStep {
  readonly name: string;
  readonly where?: EventFilter | undefined;
  readonly within?: Duration | undefined;
  /** Only of the last step. */
  readonly not: boolean;
}

export interface StaticListCondition {
  readonly kind: 'staticList';
  readonly path: string;
  readonly listId: string;
}

export interface DynamicListCondition {
  readonly kind: 'dynamicList';
  readonly path: string;
  readonly listId: string;
}

export interface BucketCondition {
  readonly kind: 'bucket';
  readonly path: string;
  readonly seed: string;
  readonly of: number;
  readonly from: number;
  readonly to: number;
}

/** A condition whose subject belongs to another feature. */
interface RegisteredCondition {
  readonly kind: 'registered';
  readonly path: string;
  readonly subject: Subject;
  /** What the subject read; only the subject knows its shape. */
  readonly spec: unknown;
}

export function isGroup<Part>(filter: Group<Part> | { readonly kind: string }): filter is Group<Part> {
  return filter.kind === 'all' || filter.kind === 'any' || filter.kind === 'none';
}
