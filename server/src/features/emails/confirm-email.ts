// Emails that ask a person to confirm: they contain a link for that.
import type { Runner } from '../../db/database.js';
import { checkTexts } from './check-templates.js';
import { type StoredEmail, selectEmailsByIds } from './queries.js';
import type { Renderer } from './rendering/renderer.js';

const variable = 'confirm_url';

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
  const hasLink = variables.some(({ name, field }) => name === variable && field === 'html');
  return hasLink ? undefined : `is an email without {{${variable}}} in its html`;
}

/** Whether the email still has the link: it may have been edited since a topic named it. */
export function asksToConfirm({ html }: Pick<StoredEmail, 'html'>): boolean {
  return html.includes(variable);
}
