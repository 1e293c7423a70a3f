// What a journey does to one contact, written a second time and as simply as possible: from the JSON, on a virtual clock, without any
// of the engine's code. Zones are UTC. Tests compare the two visit by visit.
import { createHash } from 'node:crypto';
import { isEntry, type SentDefinition, type SentStep, type Story, type Told } from './story.js';
import { firstMinute, firstOpen, minuteOf, minutes, msOf, weekday } from './virtual-time.js';

function hash(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16);
}

class Left extends Error {}
/** The current step has another type now, and runs at once. */
class Anew extends Error {}

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
  goalAt = Number.POSITIVE_INFINITY;
  /** How many of the events have arrived. */
  come = 0;
  /** The id of the current step. */
  id = '';
  isEdited = false;

  constructor(
    public definition: SentDefinition,
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
    if (goal && this.goalAt > this.now && this.holds('definition.goal.filter')) {
      this.goalAt = this.now;
      this.told.done.push(`goal ${this.now}`);
      if (goal.exit) this.leave('exited goal');
    }
    if (exitWhen && this.holds('definition.exitWhen')) this.leave('exited exitWhen');
  }

  get step(): SentStep {
    return this.definition.steps[this.find(this.id)] as SentStep;
  }

  get place(): string {
    return `definition.steps[${this.find(this.id)}]`;
  }

  /** When something that happens at a time is processed. */
  seen(at: number): number {
    return this.story.pauses?.find(({ from, to }) => at >= from && at < to)?.to ?? at;
  }

  /** Switches to the new definition, if it has the step, as if the step had been reached under it; but a step of another type begins now. */
  edit(): void {
    const { move } = this.story;
    if (!move || this.isEdited || this.seen(move.at) > this.now) return;
    this.isEdited = true;
    const { type } = this.step;
    if (!move.definition.steps.some(({ id }) => id === this.id)) return;
    this.definition = move.definition;
    if (this.step.type !== type) throw new Anew();
  }

  /** Lets time pass up to a moment, which an edit may move. `onMoment` may end it earlier with its own result. Events come before all else. */
  pass<T>(until: () => number, onMoment?: (event?: Story['events'][number]) => T | undefined): T | undefined {
    const { changes, events, move, end } = this.story;
    const all = [...Object.values(changes).flat(), ...events.map((one) => one.at), ...(move ? [move.at] : [])];
    for (let last = this.now - 1; ; last = this.now) {
      const over = Math.max(this.seen(until()), this.now);
      const moment = Math.min(over, ...all.map((at) => this.seen(at)).filter((at) => at > last));
      if (moment > end) throw new Left();
      this.now = moment;
      this.edit();
      for (;;) {
        const event = events[this.come];
        if (event === undefined || this.seen(event.at) > moment) break;
        this.come++;
        if (!onMoment) continue;
        this.check();
        const found = onMoment(event);
        if (found !== undefined) return found;
      }
      this.check();
      const found = onMoment?.();
      if (found !== undefined) return found;
      if (this.seen(until()) <= moment) return undefined;
    }
  }

  all(): void {
    while (this.story.events[this.come] && (this.story.events[this.come]?.at ?? 0) < this.now) this.come++;
    this.id = (this.definition.steps[0] as SentStep).id;
    for (;;) {
      if (this.visit >= this.story.mostVisits) throw new Left();
      this.check();
      this.visit++;
      this.hurry++;
      this.told.visits.push(`${this.visit} ${this.id} ${this.now}`);
      const next = this.oneOrAnew();
      if (next === null) this.leave('completed');
      this.id = next;
    }
  }

  /** The id of the next step, or null for the end. */
  oneOrAnew(): string | null {
    try {
      const next = this.one();
      return next === undefined ? (this.definition.steps[this.find(this.id) + 1]?.id ?? null) : next;
    } catch (error) {
      if (error instanceof Anew) return this.id;
      throw error;
    }
  }

  find(id: string): number {
    return this.definition.steps.findIndex((step) => step.id === id);
  }

  do(what: string): void {
    this.told.done.push(`${what} ${this.visit} ${this.now}`);
  }

  /** Returns the id of the next step, null for the end, undefined for the default next one. */
  one(): string | null | undefined {
    const { story, step, place } = this;
    switch (step.type) {
      case 'sendEmail':
        this.send(step);
        return step.next;
      case 'delay':
        this.delay(step);
        return this.step.next;
      case 'waitUntil':
        return this.wait();
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
        this.answered(story.propertyLatency);
        return this.step.next;
      }
      case 'addToList':
      case 'removeFromList':
      case 'setTopic':
        this.do(step.type === 'setTopic' ? `topic ${step.topicId}=${step.state}` : step.type);
        return step.next;
      case 'emitEvent':
        this.do(`event ${step.eventName}`);
        this.answered();
        return this.step.next;
      case 'webhook':
        this.do('webhook');
        this.answered();
        return story.answers || this.step.onError === undefined ? this.step.next : this.step.onError;
      case 'startJourney':
      case 'leaveJourney':
        this.do(step.type === 'startJourney' ? 'journey' : 'leave');
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
    const due = window && !step.transactional && !isHeld ? firstOpen(window, this.now) : this.now;
    this.do(`message ${step.emailId} ${isHeld ? 'holdout' : due}`);
  }

  /** A write is applied, or a webhook has responded. */
  answered(latency = this.story.latency): void {
    const at = this.now + latency;
    this.pass(() => at);
  }

  delay(step: SentStep): void {
    const began = this.now;
    const lot = (id: string) => hash(`${this.story.enrolmentId}:${id}:${this.visit}`) / 2 ** 32;
    const until = () => {
      const { spread, id } = this.step;
      const base = this.until(this.step, began);
      // A time that has passed means at once, which is now.
      return base === undefined ? this.now : base + (spread ? Math.floor(msOf(spread) * lot(id)) : 0);
    };
    if (this.until(step, began) !== undefined) {
      this.hurry = 0;
      this.pass(until);
    } else if (this.hurry > this.definition.steps.length) {
      this.hurry = 0;
      this.story.onRest?.(this.visit);
      this.pass(() => began + 3_600_000);
    }
  }

  until(step: SentStep, now: number): number | undefined {
    if (step.for) return now + msOf(step.for);
    const { untilTime } = step;
    if (untilTime) {
      const days = step.days ?? [1, 2, 3, 4, 5, 6, 7];
      const fits = (at: number) => minuteOf(at) === minutes(untilTime) && days.includes(weekday(at));
      return firstMinute(now + 1, fits);
    }
    const time =
      Date.parse(String(this.story.properties[String(step.untilProperty)])) + (step.offset ? msOf(step.offset) : 0);
    return time > now ? time : undefined;
  }

  wait(): string | null | undefined {
    const began = this.now;
    const until = () => began + msOf(String(this.step.timeout));
    const taken = (event?: Story['events'][number]): { next: string | null | undefined } | undefined => {
      const { step, place } = this;
      const found = step.branches?.find((branch, i) => {
        if (branch.filter) return this.holds(`${place}.branches[${i}].filter`);
        if (event === undefined || event.eventName !== branch.event?.eventName) return false;
        // An event that was processed late counts by its arrival time.
        if (event.at < began || event.at > until()) return false;
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
      this.story.onRest?.(this.visit);
      first = this.rest(() => Math.min(until(), began + 3_600_000), taken);
    }
    if (first) return first.next;
    this.hurry = 0;
    const found = this.pass(until, taken);
    return found ? found.next : this.step.onTimeout;
  }

  /** An enrolment that went round a cycle without a wait rests; but it looks when an event arrives, or when a relevant filter changes. */
  rest<T>(until: () => number, taken: (event?: Story['events'][number]) => T | undefined) {
    const began = this.now;
    return this.pass(until, (event) => {
      const { exitWhen, goal } = this.definition;
      const { branches = [] } = this.step;
      if (event) return branches.some((one) => one.event?.eventName === event.eventName) ? taken(event) : undefined;
      const waited = branches.flatMap((one, i) => (one.filter ? [`${this.place}.branches[${i}].filter`] : []));
      const filters = [...(exitWhen ? ['definition.exitWhen'] : []), ...waited];
      const sought = goal ? (this.story.changes['definition.goal.filter'] ?? []) : [];
      const changes = [
        ...filters.flatMap((filter) => this.story.changes[filter] ?? []),
        // The moment at which the goal is reached is looked at too.
        ...sought.filter((at) => this.seen(at) <= this.goalAt),
      ];
      const edits = this.definition === this.story.move?.definition ? [this.story.move.at] : [];
      const looks = [until(), ...changes, ...edits].map((at) => this.seen(at));
      return this.now > began && looks.includes(this.now) ? taken() : undefined;
    });
  }
}
