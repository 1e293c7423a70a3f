// Properties that steps set, written in the turn itself where the tenant's queue of writes has nothing before them. Whoever sets one goes
// on at once then, and is stored once: by way of the queue it cost half as much again.
import { applyOwnChanges } from '../../contacts/index.js';
import { eventWriteKind } from '../../events/index.js';
import type { Acknowledger } from '../../transactions/index.js';
import type { Company } from './company.js';
import type { PropertyWrite } from './drive.js';
import type { Ground } from './ground.js';
import { noteProblem } from './hear-arrivals.js';

/** Events change nobody's properties. */
const passed = [eventWriteKind];

export class OwnWrites {
  /** Once it was no, the turn's writes are queued in their order: none of them may go before another. */
  private mayWrite: boolean | undefined;

  /** `isNarrow`: a turn has failed, by a write perhaps. In the queue it fails alone. */
  constructor(
    private readonly ground: Ground,
    private readonly company: Company,
    private readonly acknowledger: Acknowledger,
    isNarrow: boolean,
  ) {
    if (isNarrow) this.mayWrite = false;
  }

  /** Answers whether it wrote them. If not, they stay effects of their enrolments. */
  async write(writes: readonly PropertyWrite[]): Promise<boolean> {
    const { tx, tenantId, at } = this.ground;
    this.mayWrite ??= await this.acknowledger.mayApply(tx, tenantId, passed);
    if (!this.mayWrite) return false;
    const changes = writes.map(({ by: { contactId, cause }, effect: { property, value } }) => ({
      ...{ contactId, properties: { [property]: value }, source: 'journey', at, cause },
    }));
    const { errors, propertiesOf } = await applyOwnChanges(tx, tenantId, changes, at);
    for (const [i, { by, effect }] of writes.entries()) {
      by.effects.splice(by.effects.indexOf(effect), 1);
      const problem = errors[i];
      if (problem !== undefined) noteProblem(by, problem, this.ground.now);
      const properties = propertiesOf(by.contactId);
      if (properties) this.company.update(by.contactId, properties);
    }
    return true;
  }
}
