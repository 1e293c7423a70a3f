import type { Transaction } from '../../../db/database.js';
import { systemClock } from '../../../lib/clock.js';
import { prospectOf } from '../../../work/prospect.js';
import * as builds from './builds/queries.js';
import { type Evaluation, evaluate } from './evaluate.js';
import { bySet } from './group-changes.js';
import type { Interest } from './interest.js';
import { audiencesChanged, audiencesRedrawn } from './news.js';
import * as queries from './queries.js';
import {
  contactsOf,
  limitStatements,
  longestStatement,
  type Move,
  rangeOf,
  type Scope,
  TooSlow,
} from './statement/queries.js';

/** Lists whose next step is the same: they walk along the contacts together. */
export interface BuildStep {
  listNos: readonly number[];
  /** The contact that they have reached. */
  after: string | null;
  /** How many contacts to check. */
  size: number;
  /** How many a step has if nothing is slow. */
  most: number;
}

// Seconds after which a statement of a build is ended, unless it is about a single contact; then the next step is an eighth.
const longestStep = 5;
const shortened = 8;
// Milliseconds. A step that takes longer is halved; one that takes less than a quarter is doubled. Of lists that could still take their step,
// none begins after this time: what changed waits meanwhile.
const fairStep = 2000;

/** One turn of a tenant: evaluates contacts, and announces who joined and left. */
export class Turn {
  private readonly evaluation: Evaluation;
  private readonly unbuilt = new Map<number, builds.Unbuilt>();
  private readonly touched = new Set<number>();
  private readonly setAside = new Set<number>();
  private readonly moves: Move[] = [];
  /** Because the list was made or edited. */
  private readonly redrawn: Move[] = [];
  /**
   * What is to be kept in the rows of lists, which others edit meanwhile: written right before the commit, so that no edit waits for an
   * evaluation.
   */
  private readonly notes: (() => Promise<void>)[] = [];

  /** Carefully: after a turn that failed. A list that fails is then set aside, and the others go on. */
  constructor(
    readonly tx: Transaction,
    readonly tenantId: number,
    readonly now: string,
    readonly interest: Interest,
    readonly isCareful: boolean,
  ) {
    this.evaluation = { tx, tenantId, now, interest, isCareful };
    if (isCareful) this.evaluation.onFailure = (listNos, error) => this.rest(listNos, error);
  }

  begin(unbuilt: readonly builds.Unbuilt[]): void {
    for (const list of unbuilt) this.unbuilt.set(list.listNo, list);
  }

  async look(changes: readonly queries.Change[]): Promise<void> {
    await this.spread(changes);
    const all = [...this.interest.lists.keys()];
    for (const { contactIds, listNos } of bySet(changes, all)) await this.evaluateSet(contactIds, listNos);
  }

  async lookAtOrg({ changeNo, listNos, orgListNos, contactIds }: queries.OrgStep, atMost: number): Promise<void> {
    const changes = contactIds.map((contactId) => ({ contactId, listNos, orgListNos }));
    await this.look(changes);
    await queries.endOrgStep(
      this.tx,
      this.tenantId,
      changeNo,
      contactIds.length < atMost ? undefined : contactIds.at(-1),
    );
  }

  async build({ listNos, after, size, most }: BuildStep): Promise<void> {
    const { tx, tenantId } = this;
    const { upTo, contacts } = await builds.selectFurther(tx, tenantId, after, size);
    const floor = after === null ? await builds.selectFloor(tx) : null;
    const scope = rangeOf(after, upTo, contacts);
    const plain = listNos.filter((listNo) => this.interest.isPlain(listNo));
    const others = listNos.filter((listNo) => !this.interest.isPlain(listNo));
    const began = systemClock.elapsed();
    for (const lists of [...(plain.length > 0 ? [plain] : []), ...others.map((listNo) => [listNo])]) {
      if (systemClock.elapsed() - began > fairStep) break;
      const stepBegan = systemClock.elapsed();
      const left = await this.buildLists(lists, scope, contacts);
      const next = sizeAfter(systemClock.elapsed() - stepBegan, contacts, size, most);
      this.note(left, (editions) => builds.endBuildStep(tx, tenantId, editions, { upTo, next, floor }));
    }
  }

  async end(): Promise<void> {
    const { tx, tenantId, now } = this;
    const told = (moves: readonly Move[]) =>
      moves.flatMap(({ listNo, contactId, joined }) => {
        const list = this.interest.lists.get(listNo);
        return list ? { listId: list.listId, contactId, what: joined ? ('joined' as const) : ('left' as const) } : [];
      });
    this.note([...this.touched], (editions) => builds.touchLists(tx, tenantId, editions, now));
    if (this.notes.length > 0)
      tx.beforeCommit(async () => {
        for (const write of this.notes) await write();
      });
    await audiencesChanged.tell(tx, tenantId, now, () => told(this.moves));
    await audiencesRedrawn.tell(tx, tenantId, now, () => told(this.redrawn));
  }

  /** Returns the lists that took the step. One that takes too long does not, and tries a shorter one next time. */
  private async buildLists(listNos: readonly number[], scope: Scope, contacts: number): Promise<number[]> {
    const { tx, tenantId } = this;
    const slow = new Set<number>();
    const onFailure: Evaluation['onFailure'] = async (failed, error) => {
      if (!(error instanceof TooSlow) || contacts <= 1) {
        if (!this.isCareful) throw error;
        return this.rest(failed, error);
      }
      for (const listNo of failed) slow.add(listNo);
      const next = Math.max(1, Math.floor(contacts / shortened));
      this.note(failed, (editions) => builds.shortenSteps(tx, tenantId, editions, next));
    };
    await limitStatements(tx, contacts <= 1 ? longestStatement : longestStep);
    const moves = await evaluate({ ...this.evaluation, onFailure }, listNos, scope, { apart: true });
    await limitStatements(tx);
    // The first members of a list have not joined. An existing list is rebuilt because something was missed or dropped.
    for (const move of moves) (this.unbuilt.get(move.listNo)?.isSettled ? this.moves : this.redrawn).push(move);
    for (const listNo of listNos) this.touched.add(listNo);
    return listNos.filter((listNo) => !slow.has(listNo) && !this.setAside.has(listNo));
  }

  /** See `notes`. */
  private note(listNos: readonly number[], write: (lists: readonly builds.Edition[]) => Promise<void>): void {
    const editions = listNos.flatMap((listNo) => this.interest.lists.get(listNo) ?? []);
    if (editions.length > 0) this.notes.push(() => write(editions));
  }

  private async rest(listNos: readonly number[], error: Error): Promise<void> {
    if (prospectOf(error) === 'passes') throw error;
    for (const listNo of listNos) this.setAside.add(listNo);
    const reason = error.message.slice(0, 500);
    this.note(listNos, (editions) => builds.failLists(this.tx, this.tenantId, editions, reason));
  }

  private async evaluateSet(contactIds: readonly string[], listNos: readonly number[]): Promise<void> {
    const own = listNos.filter((listNo) => !this.isLookedAtLater(listNo));
    for (const listNo of own) this.touched.add(listNo);
    for (const move of await evaluate(this.evaluation, own, contactsOf(contactIds)))
      (this.isNews(move) ? this.moves : this.redrawn).push(move);
  }

  /** For a list that was set aside, everyone is. Once its build is running, those that it has passed are not. */
  private isLookedAtLater(listNo: number): boolean {
    const unbuilt = this.unbuilt.get(listNo);
    return unbuilt !== undefined && unbuilt.attempts > 0 && unbuilt.builtTo === null;
  }

  /** Contacts that a first build has not reached are still among its first members. */
  private isNews({ listNo, contactId }: Move): boolean {
    const unbuilt = this.unbuilt.get(listNo);
    return !unbuilt || unbuilt.isSettled || (unbuilt.builtTo !== null && contactId <= unbuilt.builtTo);
  }

  private async spread(changes: readonly queries.Change[]): Promise<void> {
    const wide = changes.flatMap(({ contactId, orgListNos }) => (orgListNos ? { contactId, listNos: orgListNos } : []));
    for (const { contactIds, listNos } of bySet(wide, []))
      await queries.spreadToOrgs(this.tx, this.tenantId, contactIds, listNos, this.now);
  }
}

/** How many contacts the next step has; null: as many as fit. */
function sizeAfter(ms: number, contacts: number, size: number, most: number): number | null {
  if (ms > fairStep) return Math.max(1, contacts >> 1);
  const next = ms < fairStep / 4 ? size * 2 : size;
  return next >= most ? null : next;
}
