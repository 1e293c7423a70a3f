// Answers challenges of forms, in a process of its own: `{ form, count, prefix }` becomes as many bodies of posts, a line each.
import { hash } from 'node:crypto';

process.on(
  'message',
  async (/** @type {{ form: string, count: number, prefix: string }} */ { form, count, prefix }) => {
    const bodies = [];
    for (let n = 0; n < count; n++) {
      const challenge = /** @type {Record<string, any>} */ (await (await fetch(`${form}/challenge`)).json());
      bodies.push(JSON.stringify({ email: `${prefix}${n}@example.com`, altcha: solve(challenge) }));
    }
    process.send?.(bodies);
  },
);
process.once('disconnect', () => process.exit(0));

/** @param {Record<string, any>} challenge */
function solve(challenge) {
  let number = 0;
  while (hash('sha256', challenge.salt + number) !== challenge.challenge) number++;
  return Buffer.from(JSON.stringify({ ...challenge, number })).toString('base64');
}
