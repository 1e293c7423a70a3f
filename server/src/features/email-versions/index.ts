export { eraseVersions } from './erase-versions.js';
export { type Rendered, renderChosen, renderFor } from './render-for.js';
export { emailVersionEndpoints } from './routes.js';
