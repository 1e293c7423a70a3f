import { eraseVersions } from './erase-versions.js';
import { emailVersionEndpoints, type VersionContext } from './routes.js';

export { type Addressee, type Rendered, renderAll, renderFor } from './render-for.js';

export function emailVersions(needs: VersionContext) {
  return { endpoints: emailVersionEndpoints(needs), erasers: [eraseVersions] };
}
