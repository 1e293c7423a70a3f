// One turn of a tenant's journeys: takes some of what waits, in hand, through the engine, and stores what came of it.
import type { SetTopics } from '../../consent/index.js';
import type { Renderer } from '../../emails/index.js';
import { changeMembers } from '../../lists/index.js';
import type { Arrival, WonArm } from '../engine/types.js';
import { redate } from '../entries/dates.js';
import { endRunStep, finishBatches, type RunStep } from '../entries/queries.js';
import { bumpEdition } from '../life/queries.js';
import type { TurnContext } from '../turn/context.js';
import type { EnrolmentInHand } from '../turn/enrolment.js';
import { TurnEnrolments } from '../turn/enrolments.js';
import { pastOf } from '../turn/past.js';
import { deleteNews, type EnrolmentRow, type NewsRow, type Pair } from '../turn/queries.js';
import { flushStates, storeEnrolments } from '../turn/store/store.js';
import { type CarryNeeds, carryOut } from './carry-out.js';
import { OwnWrites } from './own-writes.js';
import { inWaves, NewsReader } from './read-news.js';
import { bodyRenderer } from './render-bodies.js';
import { Rounds } from './rounds.js';
import { writeTopics } from './write-topics.js';

/** What a turn has taken to do. */
export interface Taken {
  readonly news: readonly NewsRow[];
  readonly runs: readonly RunStep[];
  readonly dates: readonly Pair[];
  readonly due: readonly EnrolmentRow[];
}

export interface TurnNeeds extends Omit<CarryNeeds, 'renderBodies'> {
  renderer: Renderer;
  setTopics: SetTopics;
}

/** News of one contact in one journey that a turn looks at: each may cost statements. */
const mostWaves = 16;

export class Turn {
  readonly enrolments: TurnEnrolments;
  private readonly reader: NewsReader;
  private readonly rounds: Rounds;

  /** `isNarrow`: a turn has failed, and what it failed by is looked for. */
  constructor(
    readonly context: TurnContext,
    winners: ReadonlyMap<string, WonArm>,
    private readonly needs: TurnNeeds,
    isNarrow = false,
  ) {
    this.enrolments = new TurnEnrolments(context);
    this.reader = new NewsReader(context, this.enrolments);
    const own = new OwnWrites(context, this.enrolments, needs.acknowledger, isNarrow);
    this.rounds = new Rounds(context, this.enrolments, {
      write: (writes) => own.write(writes),
      changeLists: (changes) => changeMembers(context.tx, context.tenantId, changes, context.at),
      setTopics: (writes) => writeTopics(context, writes, needs.setTopics),
      flush: () => flushStates(context, this.enrolments),
      winnerOf: ({ journey, version }, stepId) => winners.get(`${journey.journeyNo}:${version}:${stepId}`),
    });
  }

  /** `carefully`: who enters is left for a later turn, where it can fail alone. */
  async run({ news, runs, dates, due }: Taken, carefully: boolean): Promise<void> {
    const members = runs.flatMap(({ journeyNo, contactIds }) =>
      contactIds.map((contactId) => ({ journeyNo, contactId })),
    );
    await this.enrolments.add(due);
    await this.enrolments.gather(await pastOf(this.context, { news, runs, dates }));
    await this.enrolments.meet([...news, ...members, ...dates, ...due].map(({ contactId }) => contactId));
    const first = new Map<EnrolmentInHand, Arrival>();
    for (const row of due) this.look(this.enrolments.find(row.enrolmentId), first);
    for (const step of runs) await this.enrolMembers(step, first);
    await this.enrolDated(dates, first);
    const done: NewsRow[] = [];
    const waves = inWaves(news, mostWaves);
    for (const wave of waves.length > 0 ? waves : [[]]) {
      const arrivals = wave === waves[0] || waves.length === 0 ? first : new Map<EnrolmentInHand, Arrival>();
      for (const one of wave) await this.reader.add(one, arrivals);
      if (carefully) for (const [one] of arrivals) if (one.isNew) arrivals.delete(one);
      await this.rounds.run(arrivals);
      done.push(...wave);
    }
    await redate(this.context, this.enrolments, this.reader.redated);
    await deleteNews(this.context.tx, this.context.tenantId, done);
    await this.store();
    await this.finishBatches();
  }

  /** A batch journey without a run ahead is over when its last enrolment has ended. */
  private async finishBatches(): Promise<void> {
    const { tx, tenantId } = this.context;
    const ended = [...this.enrolments.all].filter(({ ended, journey }) => ended && journey.type === 'batch');
    if (ended.length === 0) return;
    const finished = await finishBatches(tx, tenantId, [...new Set(ended.map(({ journey }) => journey.journeyNo))]);
    if (finished.length > 0) await bumpEdition(tx, tenantId);
  }

  async store(): Promise<void> {
    const renderBodies = bodyRenderer(this.needs.renderer, (contactId) => this.enrolments.personOf(contactId));
    await carryOut(this.context, [...this.enrolments.all], { ...this.needs, renderBodies });
    await storeEnrolments(this.context, this.enrolments, this.reader.refusals);
  }

  private look(enrolment: EnrolmentInHand | undefined, arrivals: Map<EnrolmentInHand, Arrival>): void {
    if (enrolment) arrivals.set(enrolment, { kind: 'look' });
  }

  private async enrolMembers(step: RunStep, arrivals: Map<EnrolmentInHand, Arrival>): Promise<void> {
    const { tx, tenantId, journeys } = this.context;
    const journey = journeys.get(step.journeyNo);
    const definition = journey && (await this.context.definitionOf(step.journeyNo, step.version));
    let enrolled = 0;
    if (journey && definition) {
      // The version of the run: an edit since then is for the next one.
      const entered = { ...journey, version: step.version };
      const { runId } = step;
      const entering = { words: {}, chain: 0, runId, cause: { code: 'inRun', runId } as const };
      for (const contactId of step.contactIds) {
        const enrolment = this.enrolments.enter(entered, definition, contactId, entering);
        if (enrolment) enrolled++;
        this.look(enrolment, arrivals);
      }
    }
    await endRunStep(tx, tenantId, step, enrolled);
  }

  private async enrolDated(dates: readonly Pair[], arrivals: Map<EnrolmentInHand, Arrival>): Promise<void> {
    for (const { journeyNo, contactId } of dates) {
      const journey = this.context.journeys.get(journeyNo);
      const definition = journey && (await this.context.definitionOf(journeyNo, journey.version));
      if (!journey || definition?.entry.kind !== 'date') continue;
      const cause = { code: 'dateCame', property: definition.entry.property } as const;
      this.look(this.enrolments.enter(journey, definition, contactId, { words: {}, chain: 0, cause }), arrivals);
    }
    // The next anniversary, if there is one.
    await redate(this.context, this.enrolments, dates);
  }
}
