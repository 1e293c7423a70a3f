import { Counter, type Registry } from 'prom-client';

/** What comes by forms, without tenants: they would be a label without bound. */
export function formMetrics(registry: Registry) {
  const posts = new Counter({
    name: 'rapport_form_submissions_total',
    help: 'Submissions of forms: taken, or refused and why.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { submitted: (outcome: string) => posts.inc({ outcome }) };
}
