import type { BodyValue, createEmail, updateEmail } from '@rapport/contract';
import type { Database, Transaction } from '../../db/database.js';
import { inSteps } from '../../work/chores.js';
import { findBlockAsking, findBlockUsing } from './blocks/queries.js';
import { blockEndpoints } from './blocks/routes.js';
import { Conditions, type Filters } from './conditions.js';
import { tryCreate } from './create-email.js';
import type { UseCheck } from './delete-email.js';
import { usualSaves } from './history/keep-save.js';
import { sweepOutbox } from './outbox/queries.js';
import { findEmailAbout, findEmailAsking, findEmailNaming } from './queries.js';
import type { Renderer } from './rendering/renderer.js';
import { emailEndpoints } from './routes.js';
import { tryUpdate } from './update-email.js';

export { asksToConfirm, checkTexts, findProblems } from './check-templates.js';
export { findConfirmFault } from './confirm-email.js';
export type { UseCheck } from './delete-email.js';
export { selectTranslations } from './languages/queries.js';
export { type Localized, localize, localizeFor, readLanguage } from './languages/translation.js';
export {
  deleteMessagesOf,
  deleteOutboxMessages,
  findOutboxMessage,
  insertOutboxMessage,
  type KeptMessage,
  selectMessagesOf,
  selectOutbox,
} from './outbox/queries.js';
export {
  type AuthoredEmail,
  emailTable,
  type StoredEmail,
  selectEmailNames,
  selectEmailsByIds,
  selectLiveIds,
  selectTopicsOf,
} from './queries.js';
export { previewLinks, RenderFailure } from './render-email.js';
export { killedRenderings, Renderer } from './rendering/renderer.js';
export type { Links, Person, Recipient, RenderOutcome, Texts, Words } from './rendering/texts.js';
export { getEmail, getEmailName } from './routes.js';

type CreatedBody = BodyValue<typeof createEmail>;
type ChangedBody = BodyValue<typeof updateEmail>;

interface EmailNeeds {
  db: Database;
  renderer: Renderer;
  /** The filter language, for conditions of designs. */
  filters: Filters;
  baseUrl: () => string;
  /** What may prevent an email from being deleted; filled by the app. */
  uses: readonly UseCheck[];
  /** How many saves of each email are kept. */
  mostSaves?: number | undefined;
  /** How long the outbox keeps messages. */
  outboxDays: number;
}

export function emails(needs: EmailNeeds) {
  const { db, renderer, filters, baseUrl, uses, outboxDays, mostSaves = usualSaves } = needs;
  renderer.decideWith(new Conditions(db, filters));
  const authoring = { db, renderer, baseUrl, mostSaves };
  const sweep = (atMost: number) => sweepOutbox(db.background, outboxDays, atMost);
  return {
    endpoints: [...emailEndpoints(authoring, uses), ...blockEndpoints(authoring)],
    /** Throws what saving an email would refuse, and saves nothing. Without an id, it is a new one. */
    tryEmail: (by: { tenantId: number; accountId: number }, body: CreatedBody | ChangedBody, id: string | undefined) =>
      id === undefined ? tryCreate(authoring, by, body as CreatedBody) : tryUpdate(authoring, by, id, body),
    topicUses: [findTopicUse],
    listUses: [findConditionAbout],
    dynamicListUses: [findConditionAbout],
    fileUses: [findFileUse],
    chores: [{ name: 'old outbox', everyMs: 60_000, run: (signal: AbortSignal) => inSteps(sweep, signal) }],
    close: () => renderer.close(),
  };
}

async function findTopicUse(tx: Transaction, tenantId: number, topicId: string): Promise<string | undefined> {
  const name = await findEmailAbout(tx, tenantId, topicId);
  return name === undefined ? findConditionAbout(tx, tenantId, topicId) : `The email "${name}" is about it.`;
}

/** About a topic or a list. */
async function findConditionAbout(tx: Transaction, tenantId: number, id: string): Promise<string | undefined> {
  const email = await findEmailAsking(tx, tenantId, id);
  if (email !== undefined) return `The email "${email}" has a condition about it.`;
  const block = await findBlockAsking(tx, tenantId, id);
  return block === undefined ? undefined : `The saved block "${block}" has a condition about it.`;
}

async function findFileUse(tx: Transaction, tenantId: number, hash: string): Promise<string | undefined> {
  const email = await findEmailNaming(tx, tenantId, hash);
  if (email !== undefined) return `The email "${email}" shows it.`;
  const block = await findBlockUsing(tx, tenantId, hash);
  return block === undefined ? undefined : `The saved block "${block}" shows it.`;
}
