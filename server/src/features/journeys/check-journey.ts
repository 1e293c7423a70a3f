// POST /journeys/check: what activation would refuse, for an editor that shows it at each step.
import type { BodyValue, DataValue, checkJourney as route } from '@rapport/contract';
import { isAssetId } from '../../lib/ids.js';
import { type Authoring, refuseUnfit } from './authoring.js';
import { findFaults } from './check-definition.js';

export async function checkJourney(
  authoring: Authoring,
  tenantId: number,
  { type, definition }: BodyValue<typeof route>,
): Promise<DataValue<typeof route>> {
  refuseUnfit(definition);
  const known = await authoring.templateFaults(tenantId, definition);
  const { faults } = await findFaults(authoring.db, tenantId, definition, type, authoring.subjects, known);
  return {
    faults: faults.map(({ path, words }) => ({ path, stepId: stepAt(definition, path), message: words })),
    warnings: await authoring.sendingWarnings(tenantId, emailsIn(definition)),
  };
}

/** Also of a definition that is not whole yet. */
function emailsIn({ steps }: Record<string, unknown>): string[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step) =>
    step?.type === 'sendEmail' && typeof step.emailId === 'string' && isAssetId(step.emailId) ? [step.emailId] : [],
  );
}

const inStep = /^definition\.steps\[(\d+)\]/;

function stepAt({ steps }: Record<string, unknown>, path: string): string | null {
  const place = inStep.exec(path)?.[1];
  const step = place === undefined || !Array.isArray(steps) ? undefined : steps[Number(place)];
  return typeof step?.id === 'string' ? step.id : null;
}
