import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import type { Acknowledger, Appliers } from '../transactions/index.js';
import { contactApplier } from './apply-writes.js';
import type { Eraser } from './erase-contact.js';
import type { Exporter } from './export/exporter.js';
import { importApplier, importEndpoints, type RowEffects, sweepUploads } from './import/index.js';
import type { ContactSelection } from './list-contacts.js';
import { contactEndpoints } from './routes.js';
import { searchQueue } from './search/settle.js';
import { exportPath, installContactSheet } from './sheet/export-sheet.js';
import type { OpenTopics } from './topic-words.js';

export { contactApplier, presentContactWrite } from './apply-writes.js';
export { ContactBook } from './contact-book.js';
export type { Eraser } from './erase-contact.js';
export { type Exporter, exporter, type SectionRow } from './export/exporter.js';
export type { ContactFilter, ContactSelection } from './list-contacts.js';
export { allOf, type ContactNews, contactsChanged } from './news.js';
export { applyOwnChanges } from './own-changes.js';
export {
  type Change,
  isPlatformKey,
  type Merged,
  mergeProperties,
  type Properties,
  snakeCase,
} from './properties.js';
export { propertyKeysSql, selectKnownKeys, selectPropertyKeys } from './property-keys/queries.js';
export {
  type ContactRow,
  changedSql,
  contactChangeTable,
  contactTable,
  findContact,
  findContactByEmail,
  findContactIds,
  holdContact,
  holdContactIds,
  holdContacts,
  sampleOfContacts,
  selectChangesOf,
  selectContactsByIds,
  selectEmails,
  selectExisting,
} from './queries.js';
export { areSound as arePropertiesSound, parseEmail, readItem } from './read-item.js';
export { type ItemStatus, OutcomeBuilder, type StoredResults } from './results.js';
export { contactExists, getContact, getContactByEmail } from './routes.js';
export { type ContactIds, contactsFound } from './search/queries.js';
export type { OpenTopics, TopicBook, TopicWords, Voucher } from './topic-words.js';

interface ContactNeeds {
  db: Database;
  clock: Clock;
  acknowledger: Acknowledger;
  appliers: Appliers;
  /** How other features erase what they keep about a person; filled by the app. */
  erasers: readonly Eraser[];
  /** The same for the right of access: exporters read what erasers remove. */
  exporters: readonly Exporter[];
  /** How filters and lists select contacts. */
  selection: ContactSelection;
  openTopics: OpenTopics;
  /** What rows of a file say about lists and suppressions, which are above. */
  rowEffects: RowEffects;
}

const uploadPauseHours = 6;

export function contacts(needs: ContactNeeds) {
  const { db, clock, acknowledger, appliers, erasers, exporters, selection, openTopics, rowEffects } = needs;
  const sweep = (signal: AbortSignal) => sweepUploads(db.background, uploadPauseHours, 100, signal);
  return {
    endpoints: [
      ...contactEndpoints({ db, acknowledger, appliers, exporters, selection }),
      ...importEndpoints(db, acknowledger),
    ],
    serves: [exportPath],
    install: (http: FastifyInstance) => installContactSheet(http, db, selection),
    appliers: [contactApplier(erasers, openTopics)],
    longAppliers: [importApplier(openTopics, rowEffects)],
    queues: [searchQueue(db.background, clock)],
    chores: [{ name: 'broken uploads', everyMs: 600_000, run: sweep }],
  };
}
