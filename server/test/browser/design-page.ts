// The page of an email made of blocks, as tests find their way on it.
import type { Design } from '@rapport/contract';
import type { Page } from 'playwright-core';
import { type Console, newEmail } from './console.js';

export const paragraph = (text: string) => [{ type: 'paragraph' as const, spans: [{ text }] }];
export const small: Design = {
  version: 1,
  blocks: [
    { type: 'heading', level: 1, content: [{ type: 'paragraph', spans: [{ text: 'News' }] }] },
    {
      type: 'text',
      content: [{ type: 'paragraph', spans: [{ text: 'Hello ' }, { variable: 'first_name', default: 'you' }] }],
    },
    { type: 'footer', address: '1 High Street, London' },
  ],
};
export const newDesign = (t: Console) => newEmail(t, { html: undefined, design: small });
export const designOf = async (t: Console, id: string): Promise<Design> =>
  (await t.api('GET', `/v2/emails/${id}`)).body.data.design;

export const canvas = (page: Page) => page.getByRole('region', { name: 'Email', exact: true });
export const panel = (page: Page) => page.getByRole('region', { name: 'Design settings' });
export const blockNamed = (page: Page, name: string | RegExp) => canvas(page).getByRole('group', { name });
export const textIn = (page: Page, kind: string) => page.getByRole('textbox', { name: `Text of the ${kind}` });

export async function save(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('All changes saved').waitFor();
}

/** The kinds of the blocks, in the order of the page. */
export const order = (page: Page) =>
  canvas(page)
    .locator('[data-path]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-kind')));
