// Tenants' templates and HTML are processed only in child processes that can be killed. This is the interface to them.
import { createHash } from 'node:crypto';
import type { Design } from '@rapport/contract';
import { Counter, type Registry } from 'prom-client';
import { notReady } from '../../../http/error-handler.js';
import { type Clock, systemClock } from '../../../lib/clock.js';
import { OutOfBounds, ProcessPool } from '../../../lib/process-pool.js';
import type { Report } from '../../../mail/bounces/report.js';
import type { CompiledDesign, Known } from '../../designs/index.js';
import { type Conditions, conditionsIn } from '../conditions.js';
import type { Checked, Field, Job, Person, RenderOutcome, Texts } from './texts.js';

const limits = {
  // Two processes. A tenant uses one at most, so a second hostile tenant takes only the other one; turns are fair.
  processes: 2,
  stepMs: 500,
  // Twice what templates within our limits were seen to use.
  memoryMb: 192,
  // An idle service soon has no rendering process; starting one takes 0.2 s.
  idleMs: 20_000,
  waitMs: 5000,
  mostWaiting: 50,
};
// No tenant has this number.
const noTenant = 0;
// People per job. Other tenants get their turn between jobs.
const mostPeople = 500;
// A text whose process was killed is not tried again for this many milliseconds.
const rememberMs = 60_000;
const mostRemembered = 1000;

// Tests run from the sources and put a compiled file here: server/test/fresh-parts.ts.
const entry = new URL('./process.js', import.meta.url);

export function killedRenderings(registry: Registry): Counter {
  return new Counter({
    name: 'rapport_render_killed_total',
    help: 'Rendering processes that were killed because a template or its HTML exceeded its limits of time or memory.',
    registers: [registry],
  });
}

export class Renderer {
  private readonly pool = new ProcessPool(entry, limits, () =>
    notReady({ reason: 'too many emails are being rendered; try again', retryAfter: 2 }),
  );
  private readonly offences: Offences;
  /** Undefined until the app is made: no condition holds then. */
  conditions: Conditions | undefined;

  /** `onEnded` is called when a process is killed, with the tenant and the reason. */
  constructor(
    private readonly onEnded: (tenantId: number, why: string) => void = () => undefined,
    clock: Clock = systemClock,
  ) {
    this.offences = new Offences(clock);
  }

  /** Conditions of designs are decided by the filter language, which is complete only once the app is made. */
  decideWith(conditions: Conditions): void {
    this.conditions = conditions;
  }

  /** Returns what is wrong with the texts of an email, and the variables they use. */
  async check(tenantId: number, texts: Texts): Promise<Checked> {
    const key = keyOf('check', tenantId, texts);
    const known = this.offences.find(key);
    if (known) return { faults: [known.failure], variables: [] };
    try {
      const checked = (await this.run(tenantId, { kind: 'check', texts })) as Checked;
      checked.faults.push(...((await this.conditions?.faultsIn(tenantId, texts)) ?? []));
      return checked;
    } catch (error) {
      const failure = failureOf(error, 'is too expensive to render: ');
      this.offences.add(key, failure);
      return { faults: [failure], variables: [] };
    }
  }

  /** Renders an email for one person. */
  async render(tenantId: number, texts: Texts, person: Person): Promise<RenderOutcome> {
    return (await this.renderAll(tenantId, texts, [person]))[0] as RenderOutcome;
  }

  /** Renders an email for many people, in their order. */
  async renderAll(tenantId: number, given: Texts, to: readonly Person[]): Promise<RenderOutcome[]> {
    if (!isTemplate(given) && !to.some(({ withText }) => withText)) return to.map(() => ({ ok: true, texts: given }));
    const { texts, people } = await this.withOutcomes(tenantId, given, to);
    const key = keyOf('render', tenantId, texts);
    const outcomes: RenderOutcome[] = [];
    const take = (part: RenderOutcome[]) => void outcomes.push(...part);
    // Steps are reported for a single person, and when searching for the one among many that must not be tried again.
    let carefully = people.length === 1;
    while (outcomes.length < people.length) {
      const known = this.offences.find(key);
      // A first failure may be due to the person's data, a second one is the template's fault.
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
        // Its plain text can be made more cheaply.
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

  /** With what its conditions come to for each person, if it has any. */
  private async withOutcomes(tenantId: number, texts: Texts, people: readonly Person[]) {
    const conditions = conditionsIn(texts);
    if (conditions.length === 0 || !this.conditions) return { texts, people };
    const ids = people.map(({ to }) => to?.id);
    const holds = await this.conditions.decide(tenantId, conditions, ids);
    return {
      texts: { ...texts, conditions },
      people: people.map((person, i) => ({ ...person, holds: holds[i] as boolean[] })),
    };
  }

  /** Compiles a design. One that takes too long or too much is told so. */
  async compileDesign(tenantId: number, design: Design, known: Known): Promise<CompiledDesign> {
    const key = () => keyOf('compile', tenantId, JSON.stringify([design, known]))();
    try {
      if (!this.offences.find(key))
        return (await this.run(tenantId, { kind: 'compile', design, known })) as CompiledDesign;
    } catch (error) {
      this.offences.add(key, failureOf(error, ''));
    }
    const message = 'this design is too expensive to compile';
    return { html: '', text: '', size: 0, problems: [{ place: 'design', severity: 'error', message }], variables: [] };
  }

  /** Makes the plain-text part of a message. If that is too expensive, only the tags are stripped. */
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
   * Reads the reports in a mail that came back. Strangers send these, so all of them together share one tenant's turn: one is read at a
   * time. Empty if reading it takes too long.
   */
  async readReports(raw: Uint8Array): Promise<Report[]> {
    try {
      return (await this.run(noTenant, { kind: 'reports', raw })) as Report[];
    } catch (error) {
      if (error instanceof OutOfBounds) return [];
      throw error;
    }
  }

  async close(): Promise<void> {
    this.pool.close();
  }

  private async run(tenantId: number, job: Job, onPart?: (part: RenderOutcome[]) => void): Promise<unknown> {
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

/** Which part exceeded its limits, and how. Any other error is a bug. */
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

/** Texts whose process was killed, by tenant: refused at once when they come again. Hashes are computed only while there are any. */
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
    // Moved to the end, so that the oldest is forgotten first.
    this.byKey.delete(hash);
    this.byKey.set(hash, { failure, count, until: this.clock.elapsed() + rememberMs });
  }
}
