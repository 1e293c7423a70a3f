// Recounts every figure from the messages and enrolments themselves, and reports the differences.
import type { Runner } from '../../../db/database.js';
import { countFigures } from '../../../db/tallies.js';
import { type PassageDifference, passageTallies, recountJourneys } from '../../journeys/index.js';
import { type FigureDifference, figureTallies, recountMessages } from '../../messages/index.js';
import { selectTenantsAfter } from '../../tenants/index.js';

/** What was compared for a tenant, and a sentence for each difference. */
export interface Verified {
  tenantId: number;
  name: string;
  /** Figures by subject and hour. */
  messages: number;
  journeys: number;
  differences: string[];
}

const tenantsAtOnce = 100;

/** Tenant by tenant; `told` is called after each. */
export async function verifyFigures(db: Runner, told: (verified: Verified) => void): Promise<void> {
  for (let after = 0; ; ) {
    const tenants = await selectTenantsAfter(db, after, tenantsAtOnce);
    for (const { tenantId, name } of tenants) told(await verifyTenant(db, tenantId, name));
    const last = tenants.at(-1);
    if (!last) return;
    after = last.tenantId;
  }
}

async function verifyTenant(db: Runner, tenantId: number, name: string): Promise<Verified> {
  return {
    tenantId,
    name,
    messages: await countFigures(db, figureTallies, tenantId),
    journeys: await countFigures(db, passageTallies, tenantId),
    differences: [
      ...(await recountMessages(db, tenantId)).map(sayFigure),
      ...(await recountJourneys(db, tenantId)).map(sayPassage),
    ],
  };
}

function sayFigure({ span, subject, since, tooHigh }: FigureDifference): string {
  const each = Object.entries(tooHigh).map(([name, n]) => `${name} ${offBy(n)}`);
  return `${subject}, ${whenOf(span, since)}: ${each.join(', ')}`;
}

function sayPassage({ journeyNo, stepId, part, what, span, since, counted, recounted }: PassageDifference): string {
  const of = [
    `journey ${journeyNo}`,
    ...(stepId === null ? [] : [`step ${stepId}`]),
    ...(part === '' ? [] : [part]),
  ].join(', ');
  return `${of}, ${whenOf(span, since)}: ${what} ${offBy(counted - recounted)}`;
}

function offBy(n: number): string {
  return n > 0 ? `${n} too many` : `${-n} too few`;
}

function whenOf(span: 'hour' | 'day' | 'all', since: string): string {
  return span === 'all' ? 'in all' : `in the ${span} of ${since}`;
}
