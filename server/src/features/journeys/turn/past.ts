// What a turn has to know about the past: the enrolments that its news concern, and what decides who may enter.
import { decidedBy } from '../definition/reentry.js';
import type { TurnContext } from './context.js';
import type { NewsRow, Pair } from './queries.js';

export interface Past {
  /** Of these, all that are on their way. */
  readonly active: readonly Pair[];
  /** Of these, when they entered last. */
  readonly last: readonly Pair[];
  /** Enrolments. */
  readonly ids: readonly string[];
}

/** The part of what a turn has taken whose past matters. */
interface Arriving {
  readonly news: readonly NewsRow[];
  readonly runs: readonly {
    readonly journeyNo: number;
    readonly version: number;
    readonly contactIds: readonly string[];
  }[];
  readonly dates: readonly Pair[];
}

/** Most contacts need none of it: no enrolment waits for the event, and the journey may always be entered again. */
export async function pastOf(context: TurnContext, { news, runs, dates }: Arriving): Promise<Past> {
  const past = new PastMaker(context);
  for (const one of news) await past.addNews(one);
  for (const { journeyNo, version, contactIds } of runs)
    for (const contactId of contactIds) await past.addEntry({ journeyNo, contactId }, version);
  for (const pair of dates) await past.addEntry(pair);
  return past;
}

/** For contacts that are to enter a journey by its version of now. */
export async function pastOfEntries(context: TurnContext, pairs: readonly Pair[]): Promise<Past> {
  return pastOf(context, { news: [], runs: [], dates: pairs });
}

class PastMaker implements Past {
  readonly active: Pair[] = [];
  readonly last: Pair[] = [];
  readonly ids: string[] = [];
  private readonly deciders = new Map<string, ReturnType<typeof decidedBy>>();

  constructor(private readonly context: TurnContext) {}

  async addNews(news: NewsRow): Promise<void> {
    switch (news.kind) {
      case 'applied':
      case 'answered':
        if (news.enrolmentId !== null) this.ids.push(news.enrolmentId);
        return;
      case 'changed':
      case 'takenOut':
        this.active.push(news);
        return;
      case 'event':
        if (this.context.waitsFor(news.journeyNo, String(news.data?.eventName))) this.active.push(news);
        return this.addEntry(news);
      default:
        return this.addEntry(news);
    }
  }

  /** `version`: the one that is entered, unless it is the journey's own. */
  async addEntry(pair: Pair, version = this.context.journeys.get(pair.journeyNo)?.version): Promise<void> {
    const key = `${pair.journeyNo}:${version}`;
    let decider = this.deciders.get(key);
    if (decider === undefined) {
      const definition = version && (await this.context.definitionOf(pair.journeyNo, version));
      decider = definition ? decidedBy(definition.reentry) : 'nothing';
      this.deciders.set(key, decider);
    }
    if (decider !== 'nothing') this[decider].push(pair);
  }
}
