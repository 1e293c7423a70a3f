import type { Transaction } from '../../../db/database.js';
import { prospectOf } from '../../../work/prospect.js';
import { type Evaluation, evaluate } from './evaluate.js';
import { bySet } from './group-changes.js';
import type { Interest } from './interest.js';
import { audiencesChanged, audiencesRedrawn } from './news.js';
import * as queries from './queries.js';
import { contactsOf, type Move, rangeOf } from './statement/queries.js';

/** Lists whose next step is the same: they walk along the contacts together. */
export interface BuildStep {
  listNos: readonly number[];
  /** The contact that they came to. */
  after: string | null;
  /** How many contacts to look at. */
  size: number;
}

/** One turn of a tenant: looks at contacts, and tells who joined and left. */
export class Turn {
  private readonly evaluation: Evaluation;
  private readonly unbuilt = new Map<number, queries.Unbuilt>();
  private readonly touched = new Set<number>();
  private readonly setAside = new Set<number>();
  private readonly moves: Move[] = [];
  /** By the list being made or edited. */
  private readonly redrawn: Move[] = [];

  /** Carefully: after a turn that failed. A list that fails is then set aside, and the others go on. */
  constructor(
    readonly tx: Transaction,
    readonly tenantId: number,
    readonly now: string,
    readonly interest: Interest,
    readonly isCareful: boolean,
  ) {
    const onFailure = isCareful ? (listNos: readonly number[], error: Error) => this.rest(listNos, error) : undefined;
    this.evaluation = { tx, tenantId, now, interest, onFailure };
  }

  begin(unbuilt: readonly queries.Unbuilt[]): void {
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

  async build({ listNos, after, size }: BuildStep): Promise<void> {
    const upTo = await queries.selectFurther(this.tx, this.tenantId, after, size);
    for (const listNo of listNos) this.touched.add(listNo);
    if (after === null) await queries.noteFloor(this.tx, this.tenantId, listNos);
    const moves = await evaluate(this.evaluation, listNos, rangeOf(after, upTo), { apart: true });
    // Whom a list starts with has not joined. A list that was there before is built anew because something was missed or dropped.
    for (const move of moves) (this.unbuilt.get(move.listNo)?.isSettled ? this.moves : this.redrawn).push(move);
    const built = listNos.filter((listNo) => !this.setAside.has(listNo));
    await queries.endBuildStep(this.tx, this.tenantId, built, upTo);
  }

  async end(): Promise<void> {
    if (this.touched.size > 0) await queries.touchLists(this.tx, this.tenantId, [...this.touched], this.now);
    const { tx, tenantId, now } = this;
    const told = (moves: readonly Move[]) =>
      moves.flatMap(({ listNo, contactId, joined }) => {
        const list = this.interest.lists.get(listNo);
        return list ? { listId: list.listId, contactId, what: joined ? ('joined' as const) : ('left' as const) } : [];
      });
    await audiencesChanged.tell(tx, tenantId, now, () => told(this.moves));
    await audiencesRedrawn.tell(tx, tenantId, now, () => told(this.redrawn));
  }

  private async rest(listNos: readonly number[], error: Error): Promise<void> {
    if (prospectOf(error) === 'passes') throw error;
    for (const listNo of listNos) this.setAside.add(listNo);
    await queries.failLists(this.tx, this.tenantId, listNos, error.message.slice(0, 500));
  }

  private async evaluateSet(contactIds: readonly string[], listNos: readonly number[]): Promise<void> {
    const own = listNos.filter((listNo) => !this.isLookedAtLater(listNo));
    for (const listNo of own) this.touched.add(listNo);
    for (const move of await evaluate(this.evaluation, own, contactsOf(contactIds)))
      (this.isNews(move) ? this.moves : this.redrawn).push(move);
  }

  /** Of a list that was set aside, everybody is. Once its build is on its way, whom it has passed is not. */
  private isLookedAtLater(listNo: number): boolean {
    const unbuilt = this.unbuilt.get(listNo);
    return unbuilt !== undefined && unbuilt.attempts > 0 && unbuilt.builtTo === null;
  }

  /** What a first build has not come to yet is still the beginning of its list. */
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
