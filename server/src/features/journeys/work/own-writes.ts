// Properties that steps set, written in the turn itself where the tenant's queue of writes has nothing before them. The enrolment
// goes on at once then, and is stored once: through the queue it costs twice as much.
import { applyOwnChanges } from '../../contacts/index.js';
import { eventWriteKind } from '../../events/index.js';
import { type Acknowledger, selectPayloads } from '../../transactions/index.js';
import type { TurnContext } from '../turn/context.js';
import type { TurnEnrolments } from '../turn/enrolments.js';
import { contactsOf, effectsKind } from './apply-effects.js';
import { noteProblem } from './read-news.js';
import type { PropertyWrite } from './rounds.js';

// Events change no properties, and writes of earlier steps name their contacts.
const passed = [eventWriteKind, effectsKind];
// Writes of 500 effects. Reading more would take longer than it saves.
const mostRead = 20;

export class OwnWrites {
  /** Contacts of which a write waits in the queue: what comes later goes behind it. `everybody`: nothing may be written here. */
  private waiting: Set<string> | 'everybody' | undefined;

  /** `isNarrow`: a turn has failed, by a write perhaps. In the queue it fails alone. */
  constructor(
    private readonly context: TurnContext,
    private readonly enrolments: TurnEnrolments,
    private readonly acknowledger: Acknowledger,
    isNarrow: boolean,
  ) {
    if (isNarrow) this.waiting = 'everybody';
  }

  /** Returns those that it wrote. The others stay effects of their enrolments, and are put in the queue with those. */
  async write(writes: readonly PropertyWrite[]): Promise<readonly PropertyWrite[]> {
    this.waiting ??= await this.whoWaits();
    const { waiting } = this;
    if (waiting === 'everybody') return [];
    const written = writes.filter(({ by }) => !waiting.has(by.contactId));
    const { tx, tenantId, at, now } = this.context;
    const changes = written.map(({ by: { contactId, cause }, effect: { property, value } }) => ({
      ...{ contactId, properties: { [property]: value }, source: 'journey', at, cause },
    }));
    const { errors, propertiesOf } = await applyOwnChanges(tx, tenantId, changes, at);
    for (const [i, { by, effect }] of written.entries()) {
      by.effects.splice(by.effects.indexOf(effect), 1);
      const problem = errors[i];
      if (problem !== undefined) noteProblem(by, problem, now);
      const properties = propertiesOf(by.contactId);
      if (properties) this.enrolments.update(by.contactId, properties);
    }
    return written;
  }

  private async whoWaits(): Promise<Set<string> | 'everybody'> {
    const { tx, tenantId } = this.context;
    if (!(await this.acknowledger.mayApply(tx, tenantId, passed))) return 'everybody';
    const payloads = await selectPayloads(tx, tenantId, effectsKind, mostRead);
    return payloads ? new Set(payloads.flatMap(contactsOf)) : 'everybody';
  }
}
