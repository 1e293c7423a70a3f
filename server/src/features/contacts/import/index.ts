export { serveImport } from './apply-chunk.js';
export { importPresenter } from './progress.js';
export { sweepUploads } from './remove-uploads.js';
export { importEndpoints } from './routes.js';
