export { importApplier } from './apply-chunk.js';
export { sweepUploads } from './remove-uploads.js';
export { importEndpoints } from './routes.js';
export type { RowEffects } from './row-effects.js';
