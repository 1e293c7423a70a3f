import { inSteps } from '../../work/chores.js';
import { sweepActivity } from './activity/queries.js';
import { eraseVersions } from './erase-versions.js';
import { versionSections } from './export-versions.js';
import { emailVersionEndpoints, type VersionContext } from './routes.js';

export { countRejectedLately, type Rejections } from './activity/queries.js';
export { type StoredVersion, selectVersionsOf } from './queries.js';
export { type Addressee, literalHtml, type Rendered, renderAll } from './render-for.js';
export type { TestSendNote } from './test-send.js';

/** `activityDays`: how long the activity of an email is kept. */
export function emailVersions({ activityDays, ...needs }: VersionContext & { activityDays: number }) {
  const sweep = (atMost: number) => sweepActivity(needs.db.background, activityDays, atMost);
  return {
    endpoints: emailVersionEndpoints(needs),
    erasers: [eraseVersions],
    exporters: versionSections,
    chores: [{ name: 'old email activity', everyMs: 60_000, run: (signal: AbortSignal) => inSteps(sweep, signal) }],
  };
}
