// Submissions and confirmations wait in the tenant's write queue, because contacts are changed under the tenant's lock.
import type { Transaction } from '../../../db/database.js';
import { parseJson } from '../../../lib/parse-json.js';
import type { Applier, PendingWrite, Write } from '../../transactions/index.js';
import { applyConfirmations } from '../confirmation/apply-confirmations.js';
import { type ApplyNeeds, applySubmissions } from './apply-submissions.js';

const kinds = { submission: 'form.submission', confirmation: 'form.confirmation' } as const;

export function submissionWrite(tenantId: number, kind: keyof typeof kinds, submissionId: string): Write {
  return { tenantId, kind: kinds[kind], items: 1, payload: JSON.stringify({ submissionId }) };
}

const nothing = { results: null };

export function submissionApplier(needs: ApplyNeeds): Applier {
  const applyRun = (tx: Transaction, tenantId: number, run: readonly PendingWrite[], now: string) => {
    const ids = run.map(({ payload }) => (parseJson(payload) as { submissionId: string }).submissionId);
    return run[0]?.kind === kinds.submission
      ? applySubmissions(needs, tx, tenantId, ids, now)
      : applyConfirmations(tx, tenantId, ids, now);
  };
  return {
    kinds: Object.values(kinds),
    apply: async (tx, tenantId, writes, now) => {
      for (let from = 0; from < writes.length; ) {
        const rest = writes.slice(from);
        const other = rest.findIndex(({ kind }) => kind !== rest[0]?.kind);
        const run = other < 0 ? rest : rest.slice(0, other);
        await applyRun(tx, tenantId, run, now);
        from += run.length;
      }
      return writes.map(() => nothing);
    },
    refuse: () => nothing,
  };
}
