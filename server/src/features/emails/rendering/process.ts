// The process in which tenants' templates run. It has no settings, no database and no secrets, and may be killed at any time.
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../../lib/clock.js';
import type { Sign } from '../../../lib/process-pool.js';
import { readReports } from '../../../mail/bounces/report.js';
import { plainText, withoutTags } from '../../../mail/plain-text.js';
import { compileDesign } from '../../designs/index.js';
import { checkTexts, readTemplate } from './check-texts.js';
import { renderPerson } from './render-person.js';
import type { Job, Note, RenderOutcome } from './texts.js';

// Milliseconds. How often finished results are sent back, and the longest turn: after that, the rest of a job waits for its next one.
const partEvery = 20;
const longestTurn = 500;

const say = (sign: Sign) => new Promise<void>((resolve) => void process.send?.(sign, () => resolve()));
const note: Note = (field) => void process.send?.({ mark: field });

async function render({ texts, people, carefully }: Extract<Job, { kind: 'render' }>): Promise<void> {
  const startedAt = systemClock.elapsed();
  let part: RenderOutcome[] = [];
  let partAt = startedAt;
  for (const person of people) {
    part.push(renderPerson(texts, person, carefully ? note : undefined));
    const now = systemClock.elapsed();
    if (!carefully && now - partAt <= partEvery) continue;
    await say({ part });
    part = [];
    partAt = now;
    if (now - startedAt > longestTurn) break;
  }
  if (part.length > 0) await say({ part });
}

async function carryOut(job: Job): Promise<unknown> {
  switch (job.kind) {
    case 'check':
      return checkTexts(job.texts, note);
    case 'render':
      return render(job);
    case 'compile':
      return compileDesign(job.design, job.known, readTemplate);
    case 'plainText':
      return (job.simply ? withoutTags : plainText)(job.html);
    case 'reports':
      return readReports(job.raw);
  }
}

process.on('message', (job: Job) => {
  carryOut(job).then(
    (done) => say({ done }),
    (error: Error) => say({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
// Ctrl+C in a terminal signals child processes too; the service decides when they end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// A template that never ends does not notice a disconnect, so a thread makes sure that the process does not outlive the service.
new Worker(
  `const parent = process.ppid; setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGKILL'), 1000)`,
  { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 } },
).unref();
void say({ up: true });
