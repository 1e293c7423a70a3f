export { contactApplier, presentContactWrite } from './apply-writes.js';
export type { Eraser } from './erase-contact.js';
export { mergeProperties, type Properties } from './properties.js';
export { normalizeEmail } from './read-item.js';
export { contactEndpoints, getContact, getContactByEmail } from './routes.js';
export { settleSearch } from './search/settle.js';
