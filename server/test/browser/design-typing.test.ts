// What is pasted and typed into a block, and pictures from the person's machine.
import type { Block } from '@rapport/contract';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, useConsole } from './console.js';
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

const t = useConsole();

async function emptyText(page: Page): Promise<void> {
  await blockNamed(page, /^Text/).getByText('Hello').click();
  await textIn(page, 'text').fill('');
  // The editor has noticed.
  await expect.poll(() => textIn(page, 'text').getAttribute('data-hint')).not.toBeNull();
}

const fromWord = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin: 0}</style></head><body>
<h2>The plan<o:p></o:p></h2>
<p class=MsoNormal>Read <b>all</b> of it <a href="https://example.com/plan"><span style='color:blue'>here</span></a><o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span>First<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Second</p></body></html>`;
/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** Pastes where the cursor is. */
const paste = (html: string) => `{
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/html', ${JSON.stringify(html)});
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}`;

describeInBrowser('text of a block', () => {
  it('takes headings, lists and links from Word', async () => {
    const { editorUrl, id } = await newDesign(t);
    const page = await t.open(editorUrl);
    await emptyText(page);
    await page.evaluate(paste(fromWord));
    await expect.poll(() => order(page)).toEqual(['heading', 'heading', 'text', 'footer']);
    await save(page);
    expect((await designOf(t, id)).blocks.slice(1, 3)).toMatchObject([
      { type: 'heading', level: 2, content: paragraph('The plan') },
      {
        type: 'text',
        content: [
          {
            type: 'paragraph',
            spans: [
              { text: 'Read ' },
              { text: 'all', bold: true },
              { text: ' of it ' },
              { text: 'here', href: 'https://example.com/plan' },
            ],
          },
          { type: 'bullet', spans: [{ text: 'First' }] },
          { type: 'bullet', spans: [{ text: 'Second' }] },
        ],
      },
    ]);
  });

  it('is replaced by what is pasted, and comes back key by key, though what had the keyboard is gone', async () => {
    const { editorUrl } = await newDesign(t);
    const page = await t.open(editorUrl);
    await blockNamed(page, /^Text/).waitFor();
    const before = [await order(page), await canvas(page).textContent()];
    await blockNamed(page, /^Text/).getByText('Hello').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.evaluate(paste('<h2 onclick="alert(1)">Agenda</h2><p>Two points</p>'));
    await expect.poll(() => order(page)).toEqual(['heading', 'heading', 'text', 'footer']);
    expect(await canvas(page).textContent()).not.toContain('Hello');
    for (let left = 4; left > 0; left--) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Delete');
      await expect.poll(async () => (await order(page)).length).toBe(left - 1);
    }
    await expect
      .poll(async () => {
        await page.keyboard.press('ControlOrMeta+z');
        return [await order(page), await canvas(page).textContent()];
      })
      .toEqual(before);
    await expect
      .poll(async () => {
        await page.keyboard.press('ControlOrMeta+Shift+z');
        return order(page);
      })
      .toEqual([]);
  });

  it('has room for a variable, however long its fallback is', async () => {
    const spans = [{ variable: 'first_name', default: 'good to have you here with us, whoever you are' }];
    const title: Block = { type: 'heading', level: 1, content: [{ type: 'paragraph', spans }] };
    const { editorUrl } = await newEmail(t, {
      html: undefined,
      design: { ...small, blocks: [title, small.blocks[2]] },
    });
    const page = await t.open(editorUrl);
    const chip = canvas(page).getByText(/whoever you are/);
    const [inner, outer] = [await chip.boundingBox(), await canvas(page).boundingBox()];
    expect((inner?.x ?? 0) + (inner?.width ?? 9999)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0));
  });

  it('takes variables and blocks by typing, and pictures from this machine', async () => {
    const { editorUrl, id } = await newDesign(t);
    const page = await t.open(editorUrl);
    await emptyText(page);
    await page.keyboard.type('Dear {{first_n');
    await page.getByRole('option', { name: /^first_name/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Instead of a missing first_name').fill('friend');
    await page.keyboard.press('Enter');
    await page.keyboard.type(', hello /pict');
    await page.getByRole('option', { name: /^Picture/ }).click();
    await expect.poll(() => order(page)).toEqual(['heading', 'text', 'image', 'footer']);
    const file = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') };
    await panel(page).locator('input[type=file]').setInputFiles(file);
    await expect.poll(() => panel(page).getByLabel('Picture address').inputValue()).toMatch(/\/files\/[\w-]+\.png$/);
    await panel(page).getByLabel('Description').fill('A dot');
    await save(page);
    const [, text, picture] = (await designOf(t, id)).blocks;
    expect(text).toMatchObject({
      content: [
        {
          spans: [
            { text: 'Dear ' },
            { variable: 'first_name', default: 'friend' },
            { text: expect.stringMatching(/^, hello/) },
          ],
        },
      ],
    });
    expect(picture).toMatchObject({ type: 'image', alt: 'A dot', src: expect.stringContaining('/files/') });
    await panel(page).getByRole('button', { name: 'Earlier pictures' }).click();
    await page.getByRole('menuitem', { name: /dot\.png/ }).waitFor();
  });
});
