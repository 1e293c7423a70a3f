// Logs a failed sign-in in the person's workspaces. After the answer: the time it takes must not reveal who has an account.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../db/database.js';
import { type AuditAction, recordAudit } from '../../audit/index.js';
import { selectMemberships } from '../../tenants/index.js';

interface Failure {
  action: Extract<AuditAction, 'sign-in.failed' | 'sign-in.locked'>;
  personId: number;
  address: string;
  /** What was wrong, or was tried too often. */
  by: 'password' | 'code' | 'recovery-code';
}

export class Failures {
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly db: Database,
    private readonly log: FastifyBaseLogger,
  ) {}

  note(failure: Failure): void {
    const noted = this.record(failure).catch((err: Error) => this.log.warn({ err }, 'a failed sign-in was not noted'));
    this.running.add(noted);
    noted.finally(() => this.running.delete(noted));
  }

  /** Resolves when all are logged. */
  async settle(): Promise<void> {
    await Promise.all(this.running);
  }

  /** The actor is unknown: it was done to the account. */
  private async record({ action, personId, address, by }: Failure): Promise<void> {
    for (const { tenantId, accountId } of await selectMemberships(this.db, personId))
      await recordAudit(this.db, { tenantId, accountId: null, address }, action, accountId, { by });
  }
}
