import { Counter, type Registry } from 'prom-client';

/** Submissions of forms. Not by tenant, because that label would have no bound. */
export function formMetrics(registry: Registry) {
  const posts = new Counter({
    name: 'rapport_form_submissions_total',
    help: 'Submissions of forms: taken, or refused and why.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { submitted: (outcome: string) => posts.inc({ outcome }) };
}
