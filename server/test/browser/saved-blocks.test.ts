// Blocks that several emails share, as a person makes, uses, changes and misses them.
import type { Block, Design, SavedBlock } from '@rapport/contract';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, previewOf, settled, useConsole, widths } from './console.js';
import {
  blockNamed,
  canvas,
  designOf,
  newDesign,
  order,
  panel,
  paragraph,
  save,
  small,
  textIn,
} from './design-page.js';
import { joinDemo } from './people.js';
import { faultsOf } from './readable.js';

const t = useConsole();
/** A person can join only once, so a second try invites another one. */
let tries = 0;

async function makeSaved(name: string, ...blocks: Block[]): Promise<string> {
  const { status, body } = await t.api('POST', '/v2/blocks', { name, blocks });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.blockId;
}

const words = (text: string): Block => ({ type: 'text', content: [{ type: 'paragraph', spans: [{ text }] }] });
const using = (blockId: string): Design => ({
  ...small,
  blocks: [{ type: 'saved', blockId }, ...small.blocks],
});
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Block tools' }).getByRole('button', { name });
const add = (page: Page) => panel(page).locator('label', { hasText: /^Add$/ }).click();

describeInBrowser('a saved block', () => {
  it('is made of a block, put into another email, and changed in both', async () => {
    const first = await newDesign(t);
    const page = await t.open(first.editorUrl);
    await blockNamed(page, /^Heading/).focus();
    await tool(page, 'Save as block').click();
    const naming = page.getByRole('dialog', { name: 'Save as block' });
    await naming.getByLabel('Name').fill('Masthead');
    await naming.getByRole('button', { name: 'Save block' }).click();
    const saved = blockNamed(page, 'Saved block: Masthead');
    await saved.getByText('News').waitFor();
    await save(page);
    const { blockId } = (await designOf(t, first.id)).blocks[0] as SavedBlock;
    expect((await t.api('GET', `/v2/blocks/${blockId}`)).body.data).toMatchObject({ name: 'Masthead', usedBy: 1 });

    const second = await newDesign(t);
    await t.show(page, `emails/${second.id}`);
    await add(page);
    await panel(page).getByRole('button', { name: 'Masthead Used in 1 email' }).click();
    await expect.poll(() => order(page)).toEqual(['heading', 'text', 'saved', 'footer']);
    await save(page);

    // Something else is not saved yet, and stays.
    await blockNamed(page, /^Text/).focus();
    await page.keyboard.press('Enter');
    await textIn(page, 'text').fill('Not saved yet');
    await page.keyboard.press('Escape');
    await blockNamed(page, 'Saved block: Masthead').focus();
    await tool(page, 'Edit saved block').click();
    const editing = page.getByRole('dialog', { name: 'Edit saved block' });
    await editing.getByText('Used in 2 emails. Saving changes all of them at once.').waitFor();
    await editing.getByRole('group', { name: 'Heading: News' }).getByText('News').click();
    await editing.getByRole('textbox', { name: 'Text of the heading' }).fill('The Daily Board');
    await editing.getByRole('button', { name: 'Save block' }).click();
    await page.getByText('Saved, and changed in 2 emails').waitFor();
    await blockNamed(page, 'Saved block: Masthead').getByText('The Daily Board').waitFor();
    for (const { id } of [first, second])
      expect((await t.api('GET', `/v2/emails/${id}`)).body.data.html).toContain('The Daily Board');
    // What was changed there is no conflict here.
    await save(page);
    expect((await designOf(t, second.id)).blocks[1]).toMatchObject({ content: paragraph('Not saved yet') });
    await panel(page).locator('label', { hasText: 'Preview' }).click();
    await previewOf(page).getByText('The Daily Board').waitFor();
  });

  it('is put in by typing its name, and turned into ordinary blocks', async () => {
    const blockId = await makeSaved('Signature', words('Yours, Ada'), { type: 'divider' });
    const { editorUrl, id } = await newDesign(t);
    const page = await t.open(editorUrl);
    await blockNamed(page, /^Text/).getByText('Hello').click();
    await textIn(page, 'text').waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' /Sign');
    await page.getByRole('option', { name: 'Signature' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => order(page)).toEqual(['heading', 'text', 'saved', 'footer']);
    await save(page);
    expect((await designOf(t, id)).blocks[2]).toEqual({ type: 'saved', blockId });

    await blockNamed(page, 'Saved block: Signature').focus();
    await page.keyboard.press('Enter');
    await panel(page).getByRole('button', { name: 'Turn into ordinary blocks' }).click();
    await expect.poll(() => order(page)).toEqual(['heading', 'text', 'text', 'divider', 'footer']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => order(page)).toEqual(['heading', 'text', 'saved', 'footer']);
    await page.getByRole('button', { name: 'Redo' }).click();
    await save(page);
    expect((await designOf(t, id)).blocks[2]).toMatchObject({ type: 'text', content: paragraph('Yours, Ada') });
  });

  it('says what to do when it was deleted while somebody uses it', async () => {
    const blockId = await makeSaved('Short-lived', words('Here today'));
    const { editorUrl, id } = await newDesign(t);
    const page = await t.open(editorUrl, { expects: /status of 400/ });
    await blockNamed(page, /^Heading/).focus();
    await add(page);
    const piece = panel(page).getByRole('button', { name: 'Short-lived Not used yet' });
    await piece.waitFor();
    expect((await t.api('DELETE', `/v2/blocks/${blockId}`)).status).toBe(200);
    await piece.dragTo(blockNamed(page, /^Text/), { targetPosition: { x: 200, y: 4 } });
    await page.getByText('Must be fixed: this saved block no longer exists').waitFor();
    await canvas(page).getByText('This saved block was deleted').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Not saved').first().waitFor();
    await page.getByRole('button', { name: 'Go to Saved block' }).first().click();
    await panel(page).getByRole('alert').getByText('Delete it here, or choose another one.').waitFor();
    await panel(page).getByRole('button', { name: 'Delete block' }).click();
    await expect.poll(() => order(page)).toEqual(['heading', 'text', 'footer']);
    await panel(page).getByText('Short-lived').waitFor({ state: 'detached' });
    expect((await designOf(t, id)).blocks).toHaveLength(3);
  });

  it('that two people change is not overwritten, and is not lost by a slip', async () => {
    const blockId = await makeSaved('Shared', words('Before'));
    const { editorUrl } = await newEmail(t, { html: undefined, design: using(blockId) });
    const page = await t.open(editorUrl, { expects: /status of 409/ });
    await add(page);
    await panel(page).getByRole('button', { name: 'Edit Shared' }).click();
    const editing = page.getByRole('dialog', { name: 'Edit saved block' });
    await editing.getByText('Before').click();
    await editing.getByRole('textbox', { name: 'Text of the text' }).fill('Mine');
    // Escape ends the text, not the dialog.
    await page.keyboard.press('Escape');
    await editing.getByRole('group', { name: 'Text: Mine' }).waitFor();
    expect((await t.api('PATCH', `/v2/blocks/${blockId}`, { blocks: [words('Theirs')] })).status).toBe(200);
    await editing.getByRole('button', { name: 'Save block' }).click();
    await editing.getByText('Someone else changed this saved block meanwhile.').waitFor();
    await editing.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await editing.waitFor({ state: 'detached' });
    expect((await t.api('GET', `/v2/blocks/${blockId}`)).body.data.blocks).toEqual([words('Theirs')]);
    // In use, it cannot be deleted.
    await panel(page).getByRole('button', { name: 'Edit Shared' }).click();
    await editing.getByRole('button', { name: 'Delete saved block' }).click();
    await page
      .getByRole('dialog', { name: 'Delete saved block' })
      .getByRole('button', { name: 'Delete saved block' })
      .click();
    await page.getByRole('dialog', { name: 'Delete saved block' }).getByRole('alert').waitFor();
  }, 120_000);

  it('is shown to a viewer with what it contains', async () => {
    const blockId = await makeSaved('For all to see', words('Seen by all'));
    const { id } = await newEmail(t, { html: undefined, design: using(blockId) });
    const page = await t.openSignedOut('');
    await joinDemo(t, page, { name: 'Vic', email: `vic-saved${++tries}@example.com`, role: 'viewer' });
    await t.show(page, `emails/${id}`);
    await canvas(page).getByText('For all to see').waitFor();
    await canvas(page).getByText('Seen by all').waitFor();
    expect(await page.getByRole('button', { name: 'Edit saved block' }).count()).toBe(0);
  });

  it.each(widths)('can be read by everyone at %i pixels', async (width) => {
    const blockId = await makeSaved(`Read at ${width}`, words('Readable'));
    const { editorUrl } = await newEmail(t, { html: undefined, design: using(blockId) });
    const page = await t.open(editorUrl, { width });
    await settled(page);
    await blockNamed(page, `Saved block: Read at ${width}`).focus();
    expect(await faultsOf(page, 'saved', width, true)).toEqual([]);
    await tool(page, 'Edit saved block').click();
    await page.getByRole('dialog', { name: 'Edit saved block' }).getByText('Readable').waitFor();
    expect(await faultsOf(page, 'dialog', width, true)).toEqual([]);
  });
});
