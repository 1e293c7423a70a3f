// One turn of a tenant's journeys: takes some of what waits, in hand, through the engine, and stores what came of it.
import type { Renderer } from '../../emails/index.js';
import { changeMembers } from '../../lists/index.js';
import type { Arrival, WonArm } from '../engine/types.js';
import { redate } from '../entries/dates.js';
import { endRunStep, finishBatches, type RunStep } from '../entries/queries.js';
import { bumpEdition } from '../life/queries.js';
import { type CarryNeeds, carryOut } from './carry-out.js';
import { Company } from './company.js';
import { Driver } from './drive.js';
import type { Ground } from './ground.js';
import { Arrivals, inWaves } from './hear-arrivals.js';
import { OwnWrites } from './own-writes.js';
import { pastOf } from './past.js';
import { deleteNews, type EnrolmentRow, type NewsRow, type Pair } from './queries.js';
import { bodyRenderer } from './render-bodies.js';
import { flushStates, storeCompany } from './store/store.js';
import type { Traveller } from './traveller.js';

/** What a turn has taken to do. */
export interface Taken {
  readonly news: readonly NewsRow[];
  readonly runs: readonly RunStep[];
  readonly dates: readonly Pair[];
  readonly due: readonly EnrolmentRow[];
}

export interface TurnNeeds extends Omit<CarryNeeds, 'renderBodies'> {
  renderer: Renderer;
}

/** News of one contact in one journey that a turn looks at: each may cost statements. */
const mostWaves = 16;

export class Turn {
  readonly company: Company;
  private readonly arrivals: Arrivals;
  private readonly driver: Driver;

  /** `isNarrow`: a turn has failed, and what it failed by is looked for. */
  constructor(
    readonly ground: Ground,
    winners: ReadonlyMap<string, WonArm>,
    private readonly needs: TurnNeeds,
    isNarrow = false,
  ) {
    this.company = new Company(ground);
    this.arrivals = new Arrivals(ground, this.company);
    const own = new OwnWrites(ground, this.company, needs.acknowledger, isNarrow);
    this.driver = new Driver(ground, this.company, {
      write: (writes) => own.write(writes),
      changeLists: (changes) => changeMembers(ground.tx, ground.tenantId, changes, ground.at),
      flush: () => flushStates(ground, this.company),
      winnerOf: ({ journey, version }, stepId) => winners.get(`${journey.journeyNo}:${version}:${stepId}`),
    });
  }

  /** `carefully`: who enters is left for a later turn, where it can fail alone. */
  async run({ news, runs, dates, due }: Taken, carefully: boolean): Promise<void> {
    const members = runs.flatMap(({ journeyNo, contactIds }) =>
      contactIds.map((contactId) => ({ journeyNo, contactId })),
    );
    await this.company.add(due);
    await this.company.gather(await pastOf(this.ground, { news, runs, dates }));
    await this.company.meet([...news, ...members, ...dates, ...due].map(({ contactId }) => contactId));
    const first = new Map<Traveller, Arrival>();
    for (const row of due) this.look(this.company.find(row.enrolmentId), first);
    for (const step of runs) await this.enrolMembers(step, first);
    await this.enrolDated(dates, first);
    const done: number[] = [];
    const waves = inWaves(news, mostWaves);
    for (const wave of waves.length > 0 ? waves : [[]]) {
      const arrivals = wave === waves[0] || waves.length === 0 ? first : new Map<Traveller, Arrival>();
      for (const one of wave) await this.arrivals.add(one, arrivals);
      if (carefully) for (const [one] of arrivals) if (one.isNew) arrivals.delete(one);
      await this.driver.drive(arrivals);
      done.push(...wave.map(({ newsNo }) => newsNo));
    }
    await redate(this.ground, this.company, this.arrivals.redated);
    await deleteNews(this.ground.tx, this.ground.tenantId, done);
    await this.store();
    await this.finishBatches();
  }

  /** A batch journey without a run ahead is over when its last enrolment has ended. */
  private async finishBatches(): Promise<void> {
    const { tx, tenantId } = this.ground;
    const ended = [...this.company.all].filter(({ ended, journey }) => ended && journey.type === 'batch');
    if (ended.length === 0) return;
    const finished = await finishBatches(tx, tenantId, [...new Set(ended.map(({ journey }) => journey.journeyNo))]);
    if (finished.length > 0) await bumpEdition(tx, tenantId);
  }

  async store(): Promise<void> {
    const renderBodies = bodyRenderer(this.needs.renderer, (contactId) => this.company.personOf(contactId));
    await carryOut(this.ground, [...this.company.all], { ...this.needs, renderBodies });
    await storeCompany(this.ground, this.company, this.arrivals.refusals);
  }

  private look(traveller: Traveller | undefined, arrivals: Map<Traveller, Arrival>): void {
    if (traveller) arrivals.set(traveller, { kind: 'look' });
  }

  private async enrolMembers(step: RunStep, arrivals: Map<Traveller, Arrival>): Promise<void> {
    const { tx, tenantId, journeys } = this.ground;
    const journey = journeys.get(step.journeyNo);
    const definition = journey && (await this.ground.definitionOf(step.journeyNo, step.version));
    let enrolled = 0;
    if (journey && definition) {
      // The version of the run: an edit since then is for the next one.
      const entered = { ...journey, version: step.version };
      const { runId } = step;
      const entering = { words: {}, chain: 0, runId, cause: { code: 'inRun', runId } as const };
      for (const contactId of step.contactIds) {
        const traveller = this.company.enter(entered, definition, contactId, entering);
        if (traveller) enrolled++;
        this.look(traveller, arrivals);
      }
    }
    await endRunStep(tx, tenantId, step, enrolled);
  }

  private async enrolDated(dates: readonly Pair[], arrivals: Map<Traveller, Arrival>): Promise<void> {
    for (const { journeyNo, contactId } of dates) {
      const journey = this.ground.journeys.get(journeyNo);
      const definition = journey && (await this.ground.definitionOf(journeyNo, journey.version));
      if (!journey || definition?.entry.kind !== 'date') continue;
      const cause = { code: 'dateCame', property: definition.entry.property } as const;
      this.look(this.company.enter(journey, definition, contactId, { words: {}, chain: 0, cause }), arrivals);
    }
    // The next anniversary, if there is one.
    await redate(this.ground, this.company, dates);
  }
}
