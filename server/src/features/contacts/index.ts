export { contactApplier, presentContactWrite } from './apply-writes.js';
export { ContactBook } from './contact-book.js';
export type { Eraser } from './erase-contact.js';
export { importEndpoints, importPresenter, serveImport, sweepUploads } from './import/index.js';
export { mergeProperties, type Properties } from './properties.js';
export { normalizeEmail } from './read-item.js';
export { type ItemStatus, OutcomeBuilder, type StoredResults } from './results.js';
export { contactEndpoints, contactExists, getContact, getContactByEmail } from './routes.js';
export { settleSearch } from './search/settle.js';
