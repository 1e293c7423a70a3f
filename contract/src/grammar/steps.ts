// What a journey is made of, once: the types of steps with their fields, and the limits. Entries are in entries.ts. The OpenAPI documents, the server's
// readers, the console's canvas and the table in docs/journeys.md are made from these. What a step does is in the server's journeys/engine/.

/** What a field of a step holds. */
export type FieldKind =
  | 'email'
  | 'staticList'
  /** Any journey. */
  | 'journey'
  /** A journey that contacts can be enrolled in. */
  | 'triggerJourney'
  | 'topic'
  /** What a step can make of a contact: all but `pending`, which a form does. */
  | 'topicState'
  | 'duration'
  | 'offset'
  | 'timeOfDay'
  /** A date and a time of day, on the contact's own clock. */
  | 'localTime'
  | 'weekdays'
  | 'propertyKey'
  | 'value'
  | 'eventName'
  | 'eventProperties'
  | 'flag'
  | 'text'
  | 'url'
  | 'method'
  | 'headers'
  | 'template'
  | 'branches'
  | 'cases'
  | 'arms'
  | 'winner'
  /** The id of a step, or null for the end. */
  | 'way';

interface StepRow {
  /** For people: a name and a line. */
  readonly title: string;
  readonly text: string;
  /** It is found by these words, too: what other tools call it. */
  readonly alsoCalled: string;
  /** What a new one is called. */
  readonly id: string;
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** Of a step that names one thing: how a sentence about it begins, before the id. The server words the others. */
  readonly says?: string;
  /** The forms that it has, mostly one: the fields that it needs, and those that it takes. */
  readonly forms: readonly {
    readonly does: string;
    readonly needs: readonly string[];
    readonly takes: readonly string[];
  }[];
  /** Contacts stay there: a circle needs such a step. */
  readonly waits?: true;
}

export const steps = {
  sendEmail: {
    title: 'Send email',
    text: 'Send one message and continue',
    alsoCalled: 'mail message newsletter campaign',
    id: 'email',
    fields: { emailId: 'email', transactional: 'flag', next: 'way' },
    says: 'Sends the email',
    forms: [{ does: 'Queues a message and goes on.', needs: ['emailId'], takes: ['transactional', 'next'] }],
  },
  delay: {
    title: 'Wait',
    text: 'For a while, or until a time or date',
    alsoCalled: 'delay pause sleep timer time',
    id: 'wait',
    fields: {
      for: 'duration',
      untilTime: 'timeOfDay',
      days: 'weekdays',
      untilLocal: 'localTime',
      untilProperty: 'propertyKey',
      offset: 'offset',
      spread: 'duration',
      next: 'way',
    },
    forms: [
      { does: 'Waits for so long.', needs: ['for'], takes: ['spread', 'next'] },
      {
        does: 'Waits for the time of day, where the contact is.',
        needs: ['untilTime'],
        takes: ['days', 'spread', 'next'],
      },
      {
        does: 'Waits for a date and time on the clock where the contact is; one that has passed means at once.',
        needs: ['untilLocal'],
        takes: ['spread', 'next'],
      },
      {
        does: 'Waits for a moment that a property of the contact says; one that has passed, or is no time, means at once.',
        needs: ['untilProperty'],
        takes: ['offset', 'spread', 'next'],
      },
    ],
    waits: true,
  },
  waitUntil: {
    title: 'Wait for something',
    text: 'Until an event happens or a condition is true',
    alsoCalled: 'wait until hold goal trigger timeout',
    id: 'wait-for',
    fields: { branches: 'branches', timeout: 'duration', onTimeout: 'way', next: 'way' },
    forms: [
      {
        does: 'Waits for the first that comes true, or for the timeout.',
        needs: ['branches', 'timeout'],
        takes: ['onTimeout', 'next'],
      },
    ],
    waits: true,
  },
  branch: {
    title: 'Branch',
    text: 'Take the first condition that is true',
    alsoCalled: 'if/else if else condition decision filter switch yes/no',
    id: 'branch',
    fields: { cases: 'cases', otherwise: 'way', next: 'way' },
    forms: [{ does: 'Takes the first case that holds.', needs: ['cases'], takes: ['otherwise', 'next'] }],
  },
  split: {
    title: 'Random split',
    text: 'Divide people at random, to compare',
    alsoCalled: 'a/b test ab test experiment variant arm percentage',
    id: 'split',
    fields: { arms: 'arms', winner: 'winner', next: 'way' },
    forms: [
      {
        does: 'Shares contacts out by chance, each always to the same arm. The percents sum to 100.',
        needs: ['arms'],
        takes: ['winner', 'next'],
      },
    ],
  },
  updateProperty: {
    title: 'Set property',
    text: 'Change a contact property',
    alsoCalled: 'attribute field update change value',
    id: 'set-property',
    fields: { property: 'propertyKey', value: 'value', next: 'way' },
    forms: [{ does: 'Sets a property; null removes it.', needs: ['property', 'value'], takes: ['next'] }],
  },
  addToList: {
    title: 'Add to list',
    text: 'Add the contact to a static list',
    alsoCalled: 'tag segment subscribe static',
    id: 'add-to-list',
    fields: { staticListId: 'staticList', next: 'way' },
    says: 'Adds the contact to the static list',
    forms: [{ does: 'Makes the contact a member.', needs: ['staticListId'], takes: ['next'] }],
  },
  removeFromList: {
    title: 'Remove from list',
    text: 'Remove the contact from a static list',
    alsoCalled: 'untag segment unsubscribe static',
    id: 'remove-from-list',
    fields: { staticListId: 'staticList', next: 'way' },
    says: 'Removes the contact from the static list',
    forms: [{ does: 'Takes the contact out.', needs: ['staticListId'], takes: ['next'] }],
  },
  setTopic: {
    title: 'Set topic',
    text: 'Subscribe the contact to a topic, or unsubscribe them',
    alsoCalled: 'subscribe unsubscribe consent preference opt-in opt-out',
    id: 'set-topic',
    fields: { topicId: 'topic', state: 'topicState', next: 'way' },
    forms: [
      {
        does: 'Subscribes the contact to a topic, or unsubscribes them. What they said on a page or by one-click stands.',
        needs: ['topicId', 'state'],
        takes: ['next'],
      },
    ],
  },
  webhook: {
    title: 'Call webhook',
    text: 'Send a signed request to another system',
    alsoCalled: 'http api request call integration url post',
    id: 'webhook',
    fields: {
      ...{ url: 'url', method: 'method', headers: 'headers', body: 'template', timeout: 'duration' },
      ...{ onError: 'way', next: 'way' },
    },
    forms: [
      {
        does: 'Calls an address, signed; its JSON answer is `webhook` in later steps.',
        needs: ['url'],
        takes: ['method', 'headers', 'body', 'timeout', 'onError', 'next'],
      },
    ],
  },
  emitEvent: {
    title: 'Emit event',
    text: 'Record an event, which can start other journeys',
    alsoCalled: 'track trigger custom event',
    id: 'event',
    fields: { eventName: 'eventName', properties: 'eventProperties', next: 'way' },
    forms: [
      {
        does: 'Stores an event of the contact, which may start other journeys.',
        needs: ['eventName'],
        takes: ['properties', 'next'],
      },
    ],
  },
  startJourney: {
    title: 'Start journey',
    text: 'Enroll the contact in another journey',
    alsoCalled: 'flow automation workflow enrol enroll',
    id: 'start-journey',
    fields: { journeyId: 'triggerJourney', next: 'way' },
    says: 'Starts the journey',
    forms: [{ does: 'Enrolls the contact in another journey.', needs: ['journeyId'], takes: ['next'] }],
  },
  leaveJourney: {
    title: 'Leave journey',
    text: 'Take the contact out of another journey',
    alsoCalled: 'remove cancel unenroll unenrol take out',
    id: 'leave-journey',
    fields: { journeyId: 'journey', next: 'way' },
    says: 'Takes the contact out of the journey',
    forms: [{ does: 'Takes the contact out of another journey.', needs: ['journeyId'], takes: ['next'] }],
  },
  exit: {
    title: 'Exit',
    text: 'End the journey here',
    alsoCalled: 'stop end finish leave',
    id: 'exit',
    fields: { reason: 'text' },
    forms: [{ does: 'Leaves the journey.', needs: [], takes: ['reason'] }],
  },
} as const satisfies Record<string, StepRow>;

export type StepType = keyof typeof steps;
/** The fields of a type, and the kind of each. */
export type StepFields<Type extends StepType> = (typeof steps)[Type]['fields'];

/** In the order in which the console offers them. */
export const stepTypes = Object.keys(steps) as StepType[];

export function isStepType(text: unknown): text is StepType {
  return typeof text === 'string' && Object.hasOwn(steps, text);
}

export function stepRow(type: StepType): StepRow {
  return steps[type];
}

/** Kinds of fields that hold the id of something that was made elsewhere. */
export const assetKinds = ['email', 'staticList', 'journey', 'triggerJourney', 'topic'] as const satisfies FieldKind[];
export type AssetKind = (typeof assetKinds)[number];

/** The fields of a type that name something, and what each names. */
export function assetFields(type: StepType): [field: string, kind: AssetKind][] {
  const isAsset = (kind: FieldKind): kind is AssetKind => assetKinds.some((one) => one === kind);
  return Object.entries(stepRow(type).fields).flatMap(([field, kind]) => (isAsset(kind) ? [[field, kind]] : []));
}

export const webhookMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const;
export const winnerMeasures = ['clicked', 'goal'] as const;
export const reentries = ['never', 'afterExit', 'always'] as const;

/** Of the A/B test of a broadcast: the least and the most. */
export const abLimits = { percent: [2, 100], hours: [1, 168] } as const;

export const stepIdPattern = '^[A-Za-z0-9_-]{1,64}$';
/** Whether the date exists is checked apart. */
export const localTimePattern = '^(\\d{4})-(\\d{2})-(\\d{2})T([01]\\d|2[0-3]):([0-5]\\d)$';
export const timeOfDayPattern = '^([01]\\d|2[0-3]):([0-5]\\d)$';

/** The longest duration is in duration.ts. */
export const journeyLimits = {
  steps: 200,
  /** Characters of a step's name. */
  stepName: 80,
  branches: 10,
  cases: 20,
  /** More could not each have a whole percent. */
  arms: 100,
  holdoutPercent: 50,
  definitionBytes: 262_144,
  eventBytes: 32_768,
  /** Journeys that start one another. */
  chain: 10,
  url: 2048,
  headers: 20,
  headerName: 64,
  headerValue: 1024,
  bodyCharacters: 65_536,
  webhookMs: 30_000,
} as const;
