// Tenants' templates and HTML are only ever worked on in processes that can be ended: this is the way there.
import { createHash } from 'node:crypto';
import { Counter, type Registry } from 'prom-client';
import { notReady } from '../../../http/error-handler.js';
import { type Clock, systemClock } from '../../../lib/clock.js';
import { OutOfBounds, ProcessPool } from '../../../lib/process-pool.js';
import type { Report } from '../../../mail/bounces/report.js';
import type { Checked, Field, Job, Outcome, Person, Texts } from './texts.js';

const limits = {
  // Two. A tenant has one at most, so that the next bomb of another takes only the second; turns are fair.
  processes: 2,
  stepMs: 500,
  // Twice what the templates within our bounds were seen to use.
  memoryMb: 192,
  // Gone before anyone looks at a service at rest; starting one takes 0.2 s.
  idleMs: 20_000,
  waitMs: 5000,
  mostWaiting: 50,
};
// No tenant has this number.
const nobody = 0;
// People in one job. Between jobs other tenants have their turn.
const mostPeople = 500;
// A text that had to be ended is not tried again for this many milliseconds.
const rememberMs = 60_000;
const mostRemembered = 1000;

// Tests run from the sources, and put one there that is compiled from them: server/test/fresh-parts.ts.
const entry = new URL('./process.js', import.meta.url);

export function killedRenderings(registry: Registry): Counter {
  return new Counter({
    name: 'rapport_render_killed_total',
    help: 'Processes that were ended because a template or its HTML went past its bounds of time or memory.',
    registers: [registry],
  });
}

export class Renderer {
  private readonly pool = new ProcessPool(entry, limits, () =>
    notReady({ reason: 'too many emails are being rendered; try again', retryAfter: 2 }),
  );
  private readonly offences: Offences;

  /** `onEnded` hears whose template went too far, and how. */
  constructor(
    private readonly onEnded: (tenantId: number, why: string) => void = () => undefined,
    clock: Clock = systemClock,
  ) {
    this.offences = new Offences(clock);
  }

  /** What is wrong with the texts of an email, and the variables that they take. */
  async check(tenantId: number, texts: Texts): Promise<Checked> {
    const key = keyOf('check', tenantId, texts);
    const known = this.offences.find(key);
    if (known) return { faults: [known.failure], variables: [] };
    try {
      return (await this.run(tenantId, { kind: 'check', texts })) as Checked;
    } catch (error) {
      const failure = failureOf(error, 'is too expensive to render: ');
      this.offences.add(key, failure);
      return { faults: [failure], variables: [] };
    }
  }

  /** An email for one person. */
  async render(tenantId: number, texts: Texts, person: Person): Promise<Outcome> {
    return (await this.renderAll(tenantId, texts, [person]))[0] as Outcome;
  }

  /** An email for many people, in their order. */
  async renderAll(tenantId: number, texts: Texts, people: readonly Person[]): Promise<Outcome[]> {
    if (!isTemplate(texts) && !people.some(({ withText }) => withText)) return people.map(() => ({ ok: true, texts }));
    const key = keyOf('render', tenantId, texts);
    const outcomes: Outcome[] = [];
    const take = (part: Outcome[]) => void outcomes.push(...part);
    // Steps are told where there is one person, or where one of many is looked for that must not be tried again.
    let carefully = people.length === 1;
    while (outcomes.length < people.length) {
      const known = this.offences.find(key);
      // Once may be the person's data, twice is the template.
      if (known && known.count > 1) {
        outcomes.push({ ok: false, failure: known.failure });
        continue;
      }
      const from = outcomes.length;
      const next = people.slice(from, from + mostPeople);
      try {
        await this.run(tenantId, { kind: 'render', texts, people: next, carefully }, take);
        carefully = people.length === 1;
      } catch (error) {
        const failure = failureOf(error, 'it is too expensive: ');
        // Its text can be had for less.
        const person = next[outcomes.length - from] as Person;
        if (carefully && error instanceof OutOfBounds && error.mark === 'text' && !person.simply) person.simply = true;
        else if (carefully) {
          this.offences.add(key, failure);
          outcomes.push({ ok: false, failure });
        }
        carefully = true;
      }
    }
    return outcomes;
  }

  /** The plain-text part of a message. Where that is too much, only the tags are taken away. */
  async plainText(tenantId: number, html: string): Promise<string> {
    const key = keyOf('plainText', tenantId, html);
    let simply = this.offences.find(key) !== undefined;
    for (;;) {
      try {
        return (await this.run(tenantId, { kind: 'plainText', html, simply })) as string;
      } catch (error) {
        if (simply) throw error;
        this.offences.add(key, failureOf(error, ''));
        simply = true;
      }
    }
  }

  /**
   * What a mail that came back reports. Strangers send these, so together they share the turn of one tenant, which is one at a
   * time. Empty if reading it would take too long.
   */
  async readReports(raw: Uint8Array): Promise<Report[]> {
    try {
      return (await this.run(nobody, { kind: 'reports', raw })) as Report[];
    } catch (error) {
      if (error instanceof OutOfBounds) return [];
      throw error;
    }
  }

  async close(): Promise<void> {
    this.pool.close();
  }

  private async run(tenantId: number, job: Job, onPart?: (part: Outcome[]) => void): Promise<unknown> {
    try {
      return await this.pool.run(tenantId, job, onPart);
    } catch (error) {
      if (error instanceof OutOfBounds) this.onEnded(tenantId, `${job.kind}: ${error.message}`);
      throw error;
    }
  }
}

function isTemplate({ subject, preheader, html }: Texts): boolean {
  return [subject, preheader, html].some((text) => text?.includes('{'));
}

/** Which part went too far, and how. Any other error is a bug. */
function failureOf(error: unknown, prefix: string) {
  if (!(error instanceof OutOfBounds)) throw error;
  const field = error.mark === 'text' ? 'html' : ((error.mark as Field | undefined) ?? 'html');
  return { field, line: 1, column: 1, message: `${prefix}${error.message}` };
}

function keyOf(kind: Job['kind'], tenantId: number, content: Texts | string): () => string {
  return () => {
    const parts = typeof content === 'string' ? content : [content.subject, content.preheader, content.html];
    return createHash('sha256')
      .update(JSON.stringify([kind, tenantId, parts]))
      .digest('base64');
  };
}

interface Offence {
  failure: ReturnType<typeof failureOf>;
  count: number;
  until: number;
}

/** What had to be ended, by tenant and text: refused at once when it comes again. Hashes only while there is something. */
class Offences {
  private readonly byKey = new Map<string, Offence>();

  constructor(private readonly clock: Clock) {}

  find(key: () => string): Offence | undefined {
    const now = this.clock.elapsed();
    for (const [old, { until }] of this.byKey) {
      if (until > now && this.byKey.size <= mostRemembered) break;
      this.byKey.delete(old);
    }
    return this.byKey.size === 0 ? undefined : this.byKey.get(key());
  }

  add(key: () => string, failure: Offence['failure']): void {
    const hash = key();
    const count = (this.byKey.get(hash)?.count ?? 0) + 1;
    // Last in the order: the first to be forgotten is the oldest.
    this.byKey.delete(hash);
    this.byKey.set(hash, { failure, count, until: this.clock.elapsed() + rememberMs });
  }
}
