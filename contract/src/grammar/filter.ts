// The words of the filter language, once: operators, subjects, measures and limits. The server's reader, the OpenAPI documents and the
// console's builder are made from these tables. What an operator means is in the server's filter-language/.

/** What an operator wants to be given. */
export type Operand = 'scalar' | 'scalars' | 'text' | 'flag' | 'number' | 'range' | 'time' | 'duration';

interface OperatorRow {
  /** The values that it can hold for. `any`: every type is compared as it is. */
  readonly on: 'any' | 'text' | 'number' | 'time';
  readonly wants: Operand;
  /** It holds exactly where that one does not. */
  readonly negates?: string;
  /** Where not every subject takes it. */
  readonly only?: 'presence' | 'past';
  /** Verb and all, before the operand: `does not contain`. */
  readonly words: string;
  /** The same where there is little room. */
  readonly short?: string;
}

export const operators = {
  is: { on: 'any', wants: 'scalar', words: 'is' },
  isNot: { on: 'any', wants: 'scalar', negates: 'is', words: 'is not' },
  in: { on: 'any', wants: 'scalars', words: 'is one of' },
  notIn: { on: 'any', wants: 'scalars', negates: 'in', words: 'is not one of' },
  contains: { on: 'text', wants: 'text', words: 'contains' },
  notContains: { on: 'text', wants: 'text', negates: 'contains', words: 'does not contain' },
  startsWith: { on: 'text', wants: 'text', words: 'starts with' },
  endsWith: { on: 'text', wants: 'text', words: 'ends with' },
  matches: { on: 'text', wants: 'text', words: 'matches' },
  exists: { on: 'any', wants: 'flag', only: 'presence', words: 'has a value' },
  lt: { on: 'number', wants: 'number', words: 'is less than', short: '<' },
  lte: { on: 'number', wants: 'number', words: 'is at most', short: '≤' },
  gt: { on: 'number', wants: 'number', words: 'is more than', short: '>' },
  gte: { on: 'number', wants: 'number', words: 'is at least', short: '≥' },
  between: { on: 'number', wants: 'range', words: 'is between', short: 'between' },
  before: { on: 'time', wants: 'time', words: 'is before', short: 'before' },
  after: { on: 'time', wants: 'time', words: 'is after', short: 'after' },
  withinLast: { on: 'time', wants: 'duration', words: 'is in the last', short: 'in the last' },
  notWithinLast: {
    on: 'time',
    wants: 'duration',
    negates: 'withinLast',
    words: 'is not in the last',
    short: 'not in the last',
  },
  withinNext: { on: 'time', wants: 'duration', words: 'is in the next', short: 'in the next' },
  hasEverBeen: { on: 'any', wants: 'scalar', only: 'past', words: 'has ever been', short: 'was ever' },
} as const satisfies Record<string, OperatorRow>;

export type Operator = keyof typeof operators;
/** The operators that want this. */
export type Wanting<Wanted extends Operand> = {
  [Name in Operator]: (typeof operators)[Name]['wants'] extends Wanted ? Name : never;
}[Operator];

const rowOf = (name: Operator): OperatorRow => operators[name];
const select = (fits: (row: OperatorRow) => boolean) =>
  (Object.keys(operators) as Operator[]).filter((name) => fits(rowOf(name)));

export function isOperator(key: string): key is Operator {
  return Object.hasOwn(operators, key);
}

/** The operator that this one negates. */
export function negatedBy(name: Operator): Operator | undefined {
  return rowOf(name).negates as Operator | undefined;
}

/** All of them: what a property of a contact takes, whose past is kept. */
export const propertyOperators = select(() => true);
export const valueOperators = select(({ only }) => only !== 'past');
export const textOperators = select(({ on, only }) => (on === 'any' || on === 'text') && only === undefined);
export const numberOperators = select(({ on }) => on === 'number');
export const timeOperators = select(({ on }) => on === 'time');
const idOperators: readonly Operator[] = [...textOperators, 'exists'];
/** What the state of a topic takes. */
export const topicOperators = ['is', 'isNot'] as const satisfies readonly Operator[];

/** The fields of a contact, an organization and an event that conditions can be about, with what each takes. */
export const contactFields = { email: textOperators, createdAt: timeOperators, updatedAt: timeOperators };
export const organizationFields = { orgId: valueOperators, name: valueOperators };
export const eventFields = { userId: idOperators, orgId: idOperators, eventDate: timeOperators };

export function namesOf<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

export const countKeys = ['atLeast', 'atMost', 'exactly'] as const;
export const windowKeys = ['withinLast', 'from', 'to'] as const;

interface MeasureRow {
  /** Asked how many (`atLeast`, …), or with one of these operators. */
  readonly takes: 'counts' | readonly Operator[];
  /** It looks at a value of the events, which `of` names. */
  readonly hasOf: boolean;
}

const numberTests: readonly Operator[] = [...numberOperators, 'is'];
const momentTests: readonly Operator[] = timeOperators.filter((name) => name !== 'withinNext');

export const eventMeasures = {
  count: { takes: 'counts', hasOf: false },
  sum: { takes: numberTests, hasOf: true },
  avg: { takes: numberTests, hasOf: true },
  min: { takes: numberTests, hasOf: true },
  max: { takes: numberTests, hasOf: true },
  distinct: { takes: 'counts', hasOf: true },
  first: { takes: momentTests, hasOf: false },
  last: { takes: momentTests, hasOf: false },
  // Here `withinLast` is the window.
  latest: { takes: valueOperators.filter((name) => name !== 'withinLast'), hasOf: true },
} as const satisfies Record<string, MeasureRow>;
export type MeasureName = keyof typeof eventMeasures;

/** What a condition on a contact can be about, by its key. */
export const filterSubjects = [
  'property',
  'contact',
  'userProperty',
  'orgProperty',
  'organization',
  'orgMembers',
  'event',
  'sequence',
  'marketing',
  'staticListId',
  'dynamicListId',
  'unsubscribed',
  'topic',
  'journeyId',
  'bucket',
] as const;
export type SubjectName = (typeof filterSubjects)[number];
/** The same for one event. */
export const eventSubjects = ['eventProperty', 'eventField'] as const;

export const journeyStates = ['entered', 'inProgress', 'completed', 'exited', 'goalReached'] as const;

export const filterLimits = {
  depth: 10,
  conditions: 200,
  /** Of `in` and `notIn`. */
  values: 1000,
  /** Of a text or a name. */
  characters: 255,
  /** Of a path into an event's properties. */
  keys: 5,
  /** Of a sequence. */
  fewestSteps: 2,
  mostSteps: 5,
  buckets: 10_000,
  /** More than any browser or server follows. */
  url: 8192,
} as const;
