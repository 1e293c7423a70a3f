import type { Renderer } from '../../emails/index.js';
import type { Effect } from '../engine/types.js';
import type { EnrolmentInHand } from '../turn/enrolment.js';
import type { Person } from '../turn/enrolments.js';

type Body = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** The bodies of webhook steps, each for its contact, in their order. */
export type RenderBodies = (
  tenantId: number,
  called: readonly { readonly by: EnrolmentInHand; readonly effect: Extract<Effect, { kind: 'webhook' }> }[],
) => Promise<Body[]>;

const noLinks = { unsubscribeUrl: '', preferencesUrl: '', viewUrl: '' };

/** Liquid of tenants is only ever worked on in processes that can be ended: see Renderer. */
export function bodyRenderer(renderer: Renderer, personOf: (contactId: string) => Person | undefined): RenderBodies {
  return async (tenantId, called) => {
    const bodies: Body[] = [];
    const templates = new Map<string, { template: string; isJson: boolean; places: number[] }>();
    for (const [i, { by, effect }] of called.entries()) {
      const step = by.definition.steps.find(({ id }) => id === effect.stepId);
      const template = step?.type === 'webhook' ? step.body : undefined;
      if (step?.type !== 'webhook' || template === undefined) {
        bodies[i] = { ok: true, text: usualBody(by, effect.stepId, personOf(by.contactId)) };
        continue;
      }
      const isJson = isJsonBody(template, step.headers);
      const known = templates.get(`${isJson} ${template}`) ?? { template, isJson, places: [] };
      known.places.push(i);
      templates.set(`${isJson} ${template}`, known);
    }
    for (const { template, isJson, places } of templates.values()) {
      const people = places.map((place) => {
        const { contactId, state } = (called[place] as (typeof called)[number]).by;
        const person = personOf(contactId);
        const to = person ? { email: person.email, properties: person.properties } : null;
        return { to, links: noLinks, words: state.words as Record<string, Record<string, unknown>>, withoutHtml: true };
      });
      // Of the parts of an email, the preheader is plain text and may have lines.
      const texts = { subject: '', preheader: template, html: '', isJson };
      const outcomes = await renderer.renderAll(tenantId, texts, people);
      for (const [i, place] of places.entries()) {
        const outcome = outcomes[i];
        bodies[place] = outcome?.ok
          ? { ok: true, text: outcome.texts.preheader ?? '' }
          : { ok: false, why: `its body cannot be rendered: ${outcome?.failure.message ?? 'unknown'}` };
      }
    }
    return bodies;
  };
}

/** It begins as JSON does, tags of Liquid apart, and the step does not say that it is something else. */
export function isJsonBody(template: string, headers: Readonly<Record<string, string>>): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (type !== undefined && !/json/i.test(type)) return false;
  const first = template.replace(/^(?:\s|\{%-?[\s\S]*?%\})+/, '');
  return /^(?:\[|"|\{(?![{%]))/.test(first);
}

function usualBody(
  { contactId, journey, id, state }: EnrolmentInHand,
  stepId: string,
  person: Person | undefined,
): string {
  return JSON.stringify({
    contact: { contactId, email: person?.email ?? null, properties: person?.properties ?? {} },
    journey: { journeyId: journey.journeyId, enrolmentId: id, stepId },
    ...(state.words.event ? { event: state.words.event } : {}),
  });
}
