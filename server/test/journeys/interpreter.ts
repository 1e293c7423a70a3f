// What a journey does to one contact, written a second time and as simply as possible: from the JSON, on a virtual clock, without a line
// of the engine's code. Zones are UTC. Tests compare the two visit by visit.
import { createHash } from 'node:crypto';

/** A step as it is sent. Which keys are there depends on its type. */
export interface SentStep {
  readonly id: string;
  readonly type: string;
  readonly next?: Goes;
  readonly onError?: Goes;
  readonly onTimeout?: Goes;
  readonly otherwise?: Goes;
  readonly emailId?: string;
  readonly transactional?: boolean;
  readonly for?: string;
  readonly spread?: string;
  readonly untilTime?: string;
  readonly days?: readonly number[];
  readonly untilProperty?: string;
  readonly offset?: string;
  readonly timeout?: string;
  readonly branches?: readonly SentBranch[];
  readonly cases?: readonly { readonly filter: object; readonly next?: Goes }[];
  readonly arms?: readonly { readonly name: string; readonly percent: number; readonly next?: Goes }[];
  readonly property?: string;
  readonly value?: unknown;
  readonly eventName?: string;
  readonly reason?: string;
}

type Goes = string | null | undefined;
interface SentBranch {
  readonly filter?: object;
  readonly event?: { readonly eventName: string; readonly where?: object };
  readonly next?: Goes;
}

export interface SentDefinition {
  readonly steps: readonly SentStep[];
  readonly exitWhen?: object;
  readonly goal?: { readonly exit?: boolean };
  readonly holdout?: number;
  readonly window?: { readonly from: string; readonly to: string; readonly days?: readonly number[] };
}

/** What the world does to the contact, known beforehand. */
export interface Story {
  readonly journeyId: string;
  readonly contactId: string;
  readonly enrolmentId: string;
  readonly start: number;
  readonly end: number;
  readonly mostVisits: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly entry: Readonly<Record<string, unknown>>;
  /** In the order in which they come. */
  readonly events: readonly { at: number; eventName: string; properties: Readonly<Record<string, unknown>> }[];
  /** When each filter changes, by its place: it is false before the first of them. */
  readonly changes: Readonly<Record<string, readonly number[]>>;
  /** How long a write or webhook takes, and whether webhooks answer. */
  readonly latency: number;
  readonly answers: boolean;
  readonly winners: Readonly<Record<string, string>>;
}

export interface Told {
  /** `visit stepId at`. */
  readonly visits: string[];
  /** What was done, in its order. */
  readonly done: string[];
  ended: string | null;
}

const day = 86_400_000;
const units: Record<string, number> = { W: 7 * day, D: day, H: 3_600_000, M: 60_000, S: 1000 };

export function msOf(duration: string): number {
  const sign = duration.startsWith('-') ? -1 : 1;
  return [...duration.matchAll(/(\d+)([WDHMS])/g)].reduce(
    (sum, [, count, unit]) => sum + sign * Number(count) * (units[unit as string] as number),
    0,
  );
}

function hash(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16);
}

function minutes(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

function weekday(at: number): number {
  return new Date(at).getUTCDay() || 7;
}

/** Minute by minute, at most three weeks. */
function firstMinute(from: number, fits: (at: number) => boolean): number {
  for (let at = Math.ceil(from / 60_000) * 60_000; at < from + 21 * day; at += 60_000) if (fits(at)) return at;
  throw new Error('There is no such minute');
}

const minuteOf = (at: number) => Math.floor((at % day) / 60_000);

function isEntry(value: unknown): value is { entry: string } {
  return typeof value === 'object' && value !== null && 'entry' in value;
}

class Left extends Error {}

export function interpret(definition: SentDefinition, story: Story): Told {
  const told: Told = { visits: [], done: [], ended: null };
  const run = new Run(definition, story, told);
  try {
    run.all();
  } catch (error) {
    if (!(error instanceof Left)) throw error;
  }
  return told;
}

class Run {
  now: number;
  visit = 0;
  hurry = 0;
  goalReached = false;
  /** How many of the events have come. */
  come = 0;

  constructor(
    readonly definition: SentDefinition,
    readonly story: Story,
    readonly told: Told,
  ) {
    this.now = story.start;
  }

  holds(place: string): boolean {
    return (this.story.changes[place] ?? []).filter((at) => at <= this.now).length % 2 === 1;
  }

  leave(how: string): never {
    this.told.ended = `${how} at ${this.now}`;
    throw new Left();
  }

  check(): void {
    const { goal, exitWhen } = this.definition;
    if (goal && !this.goalReached && this.holds('definition.goal.filter')) {
      this.goalReached = true;
      this.told.done.push(`goal ${this.now}`);
      if (goal.exit) this.leave('exited goal');
    }
    if (exitWhen && this.holds('definition.exitWhen')) this.leave('exited exitWhen');
  }

  /** Lets time pass up to a moment. `onMoment` may end it earlier: what it answers is answered. Events come before all else. */
  pass<T>(until: number, onMoment?: (event?: Story['events'][number]) => T | undefined): T | undefined {
    const moments = [...Object.values(this.story.changes).flat(), ...this.story.events.map((one) => one.at), until];
    for (const moment of [...new Set(moments)].sort((a, b) => a - b)) {
      if (moment < this.now || moment > until) continue;
      if (moment > this.story.end) throw new Left();
      this.now = moment;
      for (;;) {
        const event = this.story.events[this.come];
        if (event === undefined || event.at > moment) break;
        this.come++;
        if (!onMoment) continue;
        this.check();
        const found = onMoment(event);
        if (found !== undefined) return found;
      }
      this.check();
      const found = onMoment?.();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  all(): void {
    const { steps } = this.definition;
    while (this.story.events[this.come] && (this.story.events[this.come]?.at ?? 0) < this.now) this.come++;
    let at: number | null = 0;
    while (at !== null) {
      if (this.visit >= this.story.mostVisits) throw new Left();
      this.check();
      this.visit++;
      this.hurry++;
      const step = steps[at] as SentStep;
      this.told.visits.push(`${this.visit} ${step.id} ${this.now}`);
      const next: string | null | undefined = this.one(step, at);
      at = next === undefined ? (at + 1 < steps.length ? at + 1 : null) : next === null ? null : this.find(next);
    }
    this.leave('completed');
  }

  find(id: string): number {
    return this.definition.steps.findIndex((step) => step.id === id);
  }

  do(what: string): void {
    this.told.done.push(`${what} ${this.visit} ${this.now}`);
  }

  /** Answers the id of the next step, null for the end, undefined for the one that follows. */
  one(step: SentStep, index: number): string | null | undefined {
    const { story } = this;
    const place = `definition.steps[${index}]`;
    switch (step.type) {
      case 'sendEmail':
        this.send(step);
        return step.next;
      case 'delay':
        this.delay(step);
        return step.next;
      case 'waitUntil':
        return this.wait(step, place);
      case 'branch': {
        const found = step.cases?.find((_, i) => this.holds(`${place}.cases[${i}].filter`));
        return found ? found.next : step.otherwise;
      }
      case 'split': {
        const bucket = hash(`${story.journeyId}:${step.id}:${story.contactId}`) % 100;
        const { arms = [] } = step;
        const row = arms.flatMap((arm) => Array.from({ length: arm.percent }, () => arm));
        const arm = arms.find((one) => one.name === story.winners[step.id]) ?? row[bucket];
        this.do(`arm ${arm?.name}`);
        return arm?.next;
      }
      case 'updateProperty': {
        const value = isEntry(step.value) ? story.entry[step.value.entry] : step.value;
        if (value === undefined) return step.next;
        this.do(`property ${step.property}=${JSON.stringify(value)}`);
        this.pass(this.now + story.latency);
        return step.next;
      }
      case 'addToList':
      case 'removeFromList':
        this.do(step.type);
        return step.next;
      case 'emitEvent':
        this.do(`event ${step.eventName}`);
        this.pass(this.now + story.latency);
        return step.next;
      case 'webhook':
        this.do('webhook');
        this.pass(this.now + story.latency);
        return story.answers || step.onError === undefined ? step.next : step.onError;
      case 'startJourney':
        this.do('journey');
        return step.next;
      case 'exit':
        return this.leave(`exited ${step.reason ?? 'exit'}`);
      default:
        throw new Error(`No such step: ${step.type}`);
    }
  }

  send(step: SentStep): void {
    const { window, holdout = 0 } = this.definition;
    const isHeld = hash(`${this.story.journeyId}:${this.story.contactId}`) % 100 < holdout;
    let due = this.now;
    if (window && !step.transactional && !isHeld) {
      const [from, to] = [minutes(window.from), minutes(window.to)];
      const days = window.days ?? [1, 2, 3, 4, 5, 6, 7];
      const isOpen = (at: number) =>
        from < to
          ? minuteOf(at) >= from && minuteOf(at) < to && days.includes(weekday(at))
          : minuteOf(at) >= from
            ? days.includes(weekday(at))
            : minuteOf(at) < to && days.includes(weekday(at - day));
      due = isOpen(this.now) ? this.now : firstMinute(this.now, isOpen);
    }
    this.do(`message ${step.emailId} ${isHeld ? 'holdout' : due}`);
  }

  delay(step: SentStep): void {
    const until = this.until(step);
    const lot = hash(`${this.story.enrolmentId}:${step.id}:${this.visit}`) / 2 ** 32;
    if (until !== undefined) {
      this.hurry = 0;
      this.pass(until + (step.spread ? Math.floor(msOf(step.spread) * lot) : 0));
    } else if (this.hurry > this.definition.steps.length) {
      this.hurry = 0;
      this.pass(this.now + 3_600_000);
    }
  }

  until(step: SentStep): number | undefined {
    if (step.for) return this.now + msOf(step.for);
    const { untilTime } = step;
    if (untilTime) {
      const days = step.days ?? [1, 2, 3, 4, 5, 6, 7];
      const fits = (at: number) => minuteOf(at) === minutes(untilTime) && days.includes(weekday(at));
      return firstMinute(this.now + 1, fits);
    }
    const time =
      Date.parse(String(this.story.properties[String(step.untilProperty)])) + (step.offset ? msOf(step.offset) : 0);
    return time > this.now ? time : undefined;
  }

  wait(step: SentStep, place: string): string | null | undefined {
    const began = this.now;
    const until = began + msOf(String(step.timeout));
    const taken = (event?: Story['events'][number]): { next: string | null | undefined } | undefined => {
      const found = step.branches?.find((branch, i) => {
        if (branch.filter) return this.holds(`${place}.branches[${i}].filter`);
        if (event === undefined || event.eventName !== branch.event?.eventName) return false;
        // The only `where` that these tests write: the same order as in the entry event.
        return (
          !branch.event?.where ||
          (event.properties.order !== undefined && event.properties.order === this.story.entry.order)
        );
      });
      return found && { next: found.next };
    };
    let first = taken();
    if (first && this.hurry > this.definition.steps.length) {
      this.hurry = 0;
      first = this.rest(Math.min(until, began + 3_600_000), step, place, taken);
    }
    if (first) return first.next;
    this.hurry = 0;
    const found = this.pass(until, taken);
    return found ? found.next : step.onTimeout;
  }

  /** Whoever came round without a rest, rests; but looks when it hears of an event, or when a filter that matters changes. */
  rest<T>(until: number, step: SentStep, place: string, taken: (event?: Story['events'][number]) => T | undefined) {
    const { exitWhen, goal } = this.definition;
    const waited = (step.branches ?? []).map((one, i) => (one.filter ? [`${place}.branches[${i}].filter`] : []));
    const filters: string[] = [...(exitWhen ? ['definition.exitWhen'] : []), ...waited.flat()];
    const began = this.now;
    return this.pass(until, (event) => {
      if (event)
        return step.branches?.some((one) => one.event?.eventName === event.eventName) ? taken(event) : undefined;
      const changes = [...filters, ...(goal && !this.goalReached ? ['definition.goal.filter'] : [])].flatMap(
        (filter) => this.story.changes[filter] ?? [],
      );
      return this.now > began && [until, ...changes].includes(this.now) ? taken() : undefined;
    });
  }
}
