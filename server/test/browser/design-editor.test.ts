// Emails made of blocks, as a person makes them: by mouse, by keyboard alone, and beside another person.
import type { Block, Design } from '@rapport/contract';
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
import { faultsOf } from './readable.js';

const t = useConsole();

/** A name is taken once, so a second try needs another. */
let tries = 0;

/** The preview asks for the picture, which is nowhere. */
const picture = /pictures\.example|ERR_FAILED/;

/** A heading, text, a picture, a button and two columns, above the footer. */
function expectAnnouncement({ blocks }: Design): void {
  expect(blocks).toMatchObject([
    { type: 'heading', level: 1, content: paragraph('Boards are here') },
    { type: 'text', content: paragraph('Plan your week on one page.') },
    { type: 'image', src: 'https://pictures.example/boards.png', alt: 'A board with three columns' },
    { type: 'button', label: 'Open a board', href: 'https://example.com/boards' },
    {
      type: 'columns',
      columns: [
        { width: 50, blocks: [{ type: 'text', content: paragraph('Faster') }] },
        { width: 50, blocks: [{ type: 'text', content: paragraph('Simpler') }] },
      ],
    },
    { type: 'footer', address: '1 High Street, London' },
  ]);
}

describeInBrowser('an email made of blocks', () => {
  it('is made from nothing by mouse, from the sender of the workspace, and is there after a reload', async () => {
    const page = await t.open('/console/settings/domains', { expects: picture });
    const settings = page.getByRole('region', { name: 'Default sender' });
    await settings.getByLabel('From address').fill('news');
    await settings.getByLabel('From name').fill(`The boards team ${++tries}`);
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('New emails now start with this sender.').waitFor();
    await t.show(page, 'emails');
    await page.getByRole('button', { name: 'New email' }).click();
    const form = page.getByRole('dialog', { name: 'New email' });
    const name = `Announced by mouse ${tries}`;
    await form.getByLabel('Name', { exact: false }).first().fill(name);
    await form.getByLabel('Subject').fill('Boards');
    await expect.poll(() => form.getByLabel('From address').inputValue()).toBe('news');
    await form.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();

    await blockNamed(page, /^Heading/)
      .getByText('Your headline')
      .click();
    await textIn(page, 'heading').fill('Boards are here');
    await blockNamed(page, /^Text/).getByText('Write here.').click();
    await textIn(page, 'text').fill('Plan your week on one page.');
    const add = async (kind: string) => {
      await panel(page).locator('label', { hasText: /^Add$/ }).click();
      await panel(page).getByRole('button', { name: kind, exact: true }).click();
    };
    await add('Picture');
    await panel(page).getByLabel('Picture address').fill('https://pictures.example/boards.png');
    await panel(page).getByLabel('Description').fill('A board with three columns');
    await add('Button');
    await textIn(page, 'button').fill('Open a board');
    await panel(page).getByLabel('Link').fill('https://example.com/boards');
    await add('Columns');
    for (const text of ['Faster', 'Simpler']) {
      await blockNamed(page, /^Columns$/)
        .getByRole('button', { name: 'Add here' })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Text Paragraphs' }).click();
      await textIn(page, 'text').fill(text);
    }
    await blockNamed(page, /^Footer/)
      .getByText('Unsubscribe')
      .click();
    await panel(page).getByLabel('Postal address').fill('1 High Street, London');
    // A drag by hand: the button above the picture, and back.
    await blockNamed(page, /^Button/).click({ position: { x: 5, y: 5 } });
    const handle = page.getByTestId('drag-handle');
    await handle.dragTo(blockNamed(page, /^Picture/), { targetPosition: { x: 200, y: 10 } });
    await expect
      .poll(() => order(page))
      .toEqual(['heading', 'text', 'button', 'image', 'columns', 'text', 'text', 'footer']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => order(page))
      .toEqual(['heading', 'text', 'image', 'button', 'columns', 'text', 'text', 'footer']);
    await panel(page).locator('label', { hasText: 'Preview' }).click();
    await previewOf(page).getByText('Open a board').waitFor();
    await save(page);
    await page.reload();
    await t.signIn(page);
    await expect
      .poll(() => order(page))
      .toEqual(['heading', 'text', 'image', 'button', 'columns', 'text', 'text', 'footer']);
    await panel(page).locator('label', { hasText: 'Preview' }).click();
    await panel(page).getByText(`The boards team ${tries}`).waitFor();
    await panel(page)
      .locator('label', { hasText: /^Phone$/ })
      .click();
    await panel(page)
      .locator('label', { hasText: /^Dark$/ })
      .click();
    const sent = previewOf(page);
    for (const text of ['Boards are here', 'Plan your week on one page.', 'Faster', 'Simpler', '1 High Street, London'])
      await sent.getByText(text).first().waitFor();
    expect(await sent.getByRole('link', { name: 'Open a board' }).getAttribute('href')).toBe(
      'https://example.com/boards',
    );
    await sent.getByAltText('A board with three columns').waitFor({ state: 'attached' });
  }, 180_000);

  it('is made by keyboard alone', async () => {
    const { editorUrl, id } = await newDesign(t);
    const page = await t.open(editorUrl, { expects: picture });
    await blockNamed(page, /^Heading/).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Boards are here');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Plan your week on one page.');
    await page.keyboard.press('Escape');

    /** From the end of the email, where Tab leads to the menu of blocks. */
    const add = async (menu: string, kind: string) => {
      await canvas(page).locator('..').getByRole('button', { name: menu }).first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: kind }).focus();
      await page.keyboard.press('Enter');
    };
    /** Settings that Enter opens. */
    const fill = async (label: string, text: string) => {
      await panel(page).getByLabel(label).focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    };
    await add('Add a block', 'Picture A picture');
    await page.keyboard.press('Enter');
    await fill('Picture address', 'https://pictures.example/boards.png');
    await fill('Description', 'A board with three columns');
    await add('Add a block', 'Columns Two');
    for (const text of ['Faster', 'Simpler']) {
      await add('Add here', 'Text Paragraphs');
      await textIn(page, 'text').waitFor();
      await page.keyboard.type(text);
      await page.keyboard.press('Escape');
    }
    // The button is made last and moved up through both columns: each step is announced.
    await blockNamed(page, /^Columns$/).focus();
    await add('Add a block', 'Button A link');
    await textIn(page, 'button').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Open a board');
    await page.keyboard.press('Escape');
    for (let step = 0; step < 5; step++) await page.keyboard.press('Alt+ArrowUp');
    await page.getByText('Button: Open a board moved to place 4.', { exact: true }).waitFor();
    await fill('Link', 'https://example.com/boards');
    await save(page);
    expectAnnouncement(await designOf(t, id));
  });

  it('keeps work that is not saved over a reload, and takes it back step by step', async () => {
    const { editorUrl, id } = await newDesign(t);
    const page = await t.open(editorUrl);
    await blockNamed(page, /^Heading/)
      .getByText('News')
      .click();
    await textIn(page, 'heading').fill('Great news');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('Unsaved changes').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.addInitScript(`if (self === top) sessionStorage.setItem('rapport-token', ${JSON.stringify(t.token)})`);
    await page.reload();
    await blockNamed(page, 'Heading: Great news').waitFor();
    expect(await order(page)).toEqual(['text', 'heading', 'footer']);
    await save(page);
    expect((await designOf(t, id)).blocks[1]).toMatchObject({ type: 'heading', content: paragraph('Great news') });
    await blockNamed(page, 'Heading: Great news').focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => order(page)).toEqual(['text', 'footer']);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => order(page)).toEqual(['text', 'heading', 'footer']);
  });

  it('shows both when two people changed it', async () => {
    const { editorUrl, id } = await newDesign(t);
    const page = await t.open(editorUrl, { expects: /status of 412/ });
    await blockNamed(page, /^Heading/)
      .getByText('News')
      .click();
    await textIn(page, 'heading').fill('Mine');
    const theirs = { ...small, blocks: [{ type: 'divider' }, ...small.blocks] };
    expect((await t.api('PATCH', `/v2/emails/${id}`, { design: theirs })).status).toBe(200);
    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog', { name: /saved this email first/ });
    await dialog.getByText('Different from yours: Design.').waitFor();
    await dialog.getByText('Mine', { exact: false }).first().waitFor();
    await dialog.getByRole('button', { name: 'Discard mine, load theirs' }).click();
    await expect.poll(() => order(page)).toEqual(['divider', 'heading', 'text', 'footer']);
  });

  it('leads from a problem to its block', async () => {
    const { editorUrl } = await newDesign(t);
    const page = await t.open(editorUrl);
    await blockNamed(page, /^Text/).focus();
    await panel(page).locator('label', { hasText: /^Add$/ }).click();
    await panel(page).getByRole('button', { name: 'Picture', exact: true }).click();
    await blockNamed(page, /^Heading/).focus();
    await page.getByRole('button', { name: 'Go to Picture' }).first().click();
    await expect.poll(() => blockNamed(page, 'Picture').getAttribute('data-selected')).toBe('true');
  });

  it('has the tools of a block in a column above the column beside it', async () => {
    const columns: Block = {
      type: 'columns',
      columns: ['Left', 'Right'].map((name) => ({
        width: 50,
        blocks: [1, 2].map((at) => ({ type: 'text', content: paragraph(`${name} ${at}`) })),
      })),
    };
    const { editorUrl } = await newEmail(t, {
      html: undefined,
      design: { ...small, blocks: [columns, small.blocks[2]] },
    });
    const page = await t.open(editorUrl);
    await blockNamed(page, 'Text: Left 2').getByText('Left 2').click();
    await textIn(page, 'text').waitFor();
    // A click waits until nothing covers it.
    for (const name of ['Duplicate', 'Block settings', 'Delete block'])
      await page.getByRole('button', { name, exact: true }).click({ trial: true });
  });

  it.each(widths)('can be read by everyone at %i pixels', async (width) => {
    const { editorUrl } = await newDesign(t);
    const page = await t.open(editorUrl, { width });
    await settled(page);
    await blockNamed(page, /^Text/).getByText('Hello').click();
    await textIn(page, 'text').waitFor();
    expect(await faultsOf(page, 'editor', width, true)).toEqual([]);
    for (const side of ['Theme', 'Preview']) {
      await page.locator('label', { hasText: side }).filter({ visible: true }).click();
      expect(await faultsOf(page, side, width, true)).toEqual([]);
    }
  });
});
