// Bodies of webhook steps are Liquid of tenants: compiled in a process that can be ended, so before anything is locked.

import type { Renderer } from '../emails/index.js';
import type { Fault } from '../filter-language/index.js';

/** What is wrong with them, each with its place. Of a definition that cannot be read, those that can be found. */
export async function bodyFaults(renderer: Renderer, tenantId: number, definition: unknown): Promise<Fault[]> {
  const faults: Fault[] = [];
  const known = new Map<string, string | undefined>();
  for (const { body, path } of bodiesIn(definition)) {
    if (!known.has(body)) known.set(body, await faultOf(renderer, tenantId, body));
    const words = known.get(body);
    if (words !== undefined) faults.push({ path, words });
  }
  return faults;
}

async function faultOf(renderer: Renderer, tenantId: number, body: string): Promise<string | undefined> {
  // Of the parts of an email, the preheader is plain text and may have lines: see render-bodies.ts.
  const { faults } = await renderer.check(tenantId, { subject: '', preheader: body, html: '' });
  return faults[0]?.message;
}

function bodiesIn(definition: unknown): { body: string; path: string }[] {
  const steps = (definition as { steps?: unknown } | null | undefined)?.steps;
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: { type?: unknown; body?: unknown } | null, i) =>
    step?.type === 'webhook' && typeof step.body === 'string'
      ? { body: step.body, path: `definition.steps[${i}].body` }
      : [],
  );
}
