// Pictures of the block editor for docs/emails.md: a saved block that is being edited, the languages of an email, and its theme.
import { join } from 'node:path';

/** @typedef {import('playwright-core').Page} Page */

const footer = { type: 'footer', address: 'Example Ltd, 1 High Street, London EC1A 1AA' };
const words = (/** @type {string} */ text) => [{ type: 'paragraph', spans: [{ text }] }];
const masthead = [
  { type: 'text', size: 14, content: [{ type: 'paragraph', spans: [{ text: 'EXAMPLE', bold: true }] }] },
  { type: 'divider' },
];
const letter = (/** @type {string} */ blockId) => ({
  version: 1,
  theme: { link: '#0f6b4f', button: '#0f6b4f' },
  blocks: [
    { type: 'saved', blockId },
    { type: 'heading', level: 1, content: words('Office hours on Thursday') },
    { type: 'text', content: words('Bring your questions. Two of us are there from ten to twelve.') },
    { type: 'button', label: 'Add it to your calendar', href: 'https://example.com/hours' },
    footer,
  ],
});

/**
 * @param {Page} page Signed in.
 * @param {{ url: string, token: string, folder: string }} where
 */
export async function drawEditor(page, { url, token, folder }) {
  /** @param {string} path @param {object} [body] */
  const ask = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(
      `${url}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    return /** @type {{ data: any }} */ (await answer.json()).data;
  };
  /** @param {string} path */
  const open = async (path) => {
    await page.goto(`${url}/console/${path}`);
    await page.getByRole('region', { name: 'Email', exact: true }).waitFor();
    await settle(page);
  };
  /** @param {string} name */
  const draw = (name) => page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  const panel = page.getByRole('region', { name: 'Design settings' });

  const [welcome] = await ask('/v2/emails?search=Welcome');
  await open(`emails/${welcome.emailId}?language=de`);
  await draw('email-languages');
  await open(`emails/${welcome.emailId}`);
  await panel.locator('label', { hasText: /^Theme$/ }).click();
  await settle(page);
  await panel.screenshot({ path: join(folder, 'email-theme.png'), animations: 'disabled' });

  const { blockId } = await ask('/v2/blocks', { name: 'Masthead', blocks: masthead });
  const fromEmail = { email: 'hello@example.com', name: 'Example' };
  const emails = ['Office hours', 'Office hours, reminder'];
  for (const name of emails) await ask('/v2/emails', { name, subject: name, fromEmail, design: letter(blockId) });
  const [made] = await ask('/v2/emails?search=Office');
  await open(`emails/${made.emailId}`);
  await page.getByRole('group', { name: 'Saved block: Masthead' }).focus();
  await settle(page);
  await draw('saved-block');
}

/** @param {Page} page */
async function settle(page) {
  while ((await page.locator('.mantine-Skeleton-root, [aria-busy=true], .mantine-Loader-root').count()) > 0)
    await page.waitForTimeout(50);
  await page.waitForTimeout(400);
}
