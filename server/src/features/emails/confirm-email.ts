// Emails that ask a person to confirm: they contain a link for that.
import type { Runner } from '../../db/database.js';
import { asksToConfirm, checkTexts, confirmVariable } from './check-templates.js';
import { selectTranslatedHtml } from './languages/queries.js';
import { selectEmailsByIds } from './queries.js';
import type { Renderer } from './rendering/renderer.js';

/** Why an email cannot ask for confirmation, if it cannot. */
export async function findConfirmFault(
  db: Runner,
  renderer: Renderer,
  tenantId: number,
  emailId: string,
): Promise<string | undefined> {
  const [email] = await selectEmailsByIds(db, tenantId, [emailId]);
  if (!email) return 'is not an email';
  const { variables } = await checkTexts(renderer, tenantId, email);
  const hasLink = variables.some(({ name, field }) => name === confirmVariable && field === 'html');
  if (!hasLink) return `is an email without {{${confirmVariable}}} in its html`;
  const translated = email.languages.length === 0 ? [] : await selectTranslatedHtml(db, tenantId, emailId);
  const without = translated.find((translation) => !asksToConfirm(translation));
  return without && `is an email without {{${confirmVariable}}} in its html in ${without.language}`;
}
