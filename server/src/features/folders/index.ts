export { findFolder, nameMatches } from './queries.js';
export { resolveFolder } from './resolve-folder.js';
export { folderEndpoints } from './routes.js';
