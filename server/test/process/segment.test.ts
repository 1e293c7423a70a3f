import { afterAll, expect, it } from 'vitest';
import * as segment from '../../../scripts/prove/segment.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

// More kills: `npm run prove -- segment --rounds 20`.
it('has every call that Segment’s own package reports as flushed, once, though it is killed meanwhile', async () => {
  const warnings: string[] = [];
  const onWarning = (warning: Error) => warnings.push(`${warning}`);
  process.on('warning', onWarning);
  const { problems } = await segment.prove({ rounds: 2, calls: 3000, say: () => undefined });
  process.off('warning', onWarning);
  expect(problems).toEqual([]);
  expect(warnings).toEqual([]);
});
