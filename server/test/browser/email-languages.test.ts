// The languages of an email, as a translator adds, writes, checks and removes them.
import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, previewOf, settled, useConsole, widths } from './console.js';
import { blockNamed, canvas, newDesign, panel, paragraph, save, small, textIn } from './design-page.js';
import { joinDemo } from './people.js';
import { faultsOf } from './readable.js';

const t = useConsole();
/** A person can join only once, so a second try invites another one. */
let tries = 0;

const languagesOf = async (id: string) => (await t.api('GET', `/v2/emails/${id}`)).body.data.languages;
const german = {
  subject: 'Neuigkeiten',
  preheader: 'Nur ein Test',
  design: { ...small, blocks: [{ type: 'text', content: paragraph('Hallo zusammen') }, ...small.blocks.slice(2)] },
};

describeInBrowser('the languages of an email', () => {
  it('are added, translated with a warning for what is left, and removed', async () => {
    const { editorUrl, id } = await newDesign(t);
    const page = await t.open(editorUrl);
    const bar = page.getByRole('region', { name: 'Language' });
    await bar.getByRole('button', { name: 'Add a language' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a language' });
    await adding.getByRole('combobox', { name: 'Language' }).fill('Klingonisch');
    await page.keyboard.press('Enter');
    await adding.getByText('Enter the name of a language').waitFor();
    await adding.getByRole('combobox', { name: 'Language' }).fill('german');
    await page.keyboard.press('Enter');
    await bar.getByText('Not translated yet: subject, preheader.').waitFor();
    await save(page);
    // The service has found the texts of the design that are still those of the original.
    await bar.getByText('Not translated yet: subject, preheader, 3 texts.').waitFor();
    await page.getByRole('button', { name: 'Go to Heading: News' }).click();
    await expect.poll(() => blockNamed(page, 'Heading: News').getAttribute('data-selected')).toBe('true');
    await blockNamed(page, 'Heading: News').press('Enter');
    await textIn(page, 'heading').fill('Neuigkeiten');
    await bar.getByText('2 texts').waitFor();
    await page.getByLabel('Subject').fill('Hallo');
    await page.getByLabel('Preheader').fill('Nur ein Test');
    await bar.getByText('Not translated yet: 2 texts.').waitFor();
    await panel(page).locator('label', { hasText: 'Preview' }).click();
    await previewOf(page).getByText('Neuigkeiten').waitFor();
    await expect.poll(() => page.getByTestId('preview-subject').textContent()).toBe('Hallo');
    await save(page);
    expect(await languagesOf(id)).toMatchObject({ de: { subject: 'Hallo', preheader: 'Nur ein Test' } });
    expect((await languagesOf(id)).de.design.blocks[0]).toMatchObject({ content: paragraph('Neuigkeiten') });

    // The original is as it was.
    await bar.locator('label', { hasText: 'Original' }).click();
    await blockNamed(page, 'Heading: News').waitFor();
    await panel(page).locator('label', { hasText: 'Preview' }).click();
    await previewOf(page).getByText('News', { exact: true }).waitFor();
    await bar.locator('label', { hasText: 'German (de)' }).click();
    await blockNamed(page, 'Heading: Neuigkeiten').waitFor();
    await bar.getByRole('button', { name: 'Remove German (de)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove German (de)' }).click();
    await blockNamed(page, 'Heading: News').waitFor();
    await save(page);
    expect(await languagesOf(id)).toBeUndefined();
  }, 180_000);

  it('keep work that is not saved over a reload, and two people who translate into two languages do not meet', async () => {
    const { editorUrl, id } = await newEmail(t, { html: undefined, design: small, languages: { de: german } });
    const page = await t.open(`${editorUrl}?language=de`, { expects: /status of 412/ });
    await canvas(page).getByText('Hallo zusammen').click();
    await textIn(page, 'text').fill('Servus');
    await page.getByText('Unsaved changes').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.addInitScript(`if (self === top) sessionStorage.setItem('rapport-token', ${JSON.stringify(t.token)})`);
    await page.reload();
    await canvas(page).getByText('Servus').waitFor();
    expect((await t.api('PATCH', `/v2/emails/${id}`, { languages: { fr: { subject: 'Salut' } } })).status).toBe(200);
    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog', { name: /saved this email first/ });
    await dialog.getByText('Different from yours: Languages.').waitFor();
    await dialog.getByRole('button', { name: 'Discard mine, load theirs' }).click();
    await canvas(page).getByText('Hallo zusammen').waitFor();
    await page.getByRole('region', { name: 'Language' }).locator('label', { hasText: 'French (fr)' }).click();
    await page.getByText('Same content as the original.').waitFor();
    await page.getByRole('button', { name: 'Translate the content' }).click();
    await blockNamed(page, 'Heading: News').waitFor();
    await save(page);
    expect((await languagesOf(id)).fr).toMatchObject({ subject: 'Salut', design: small });
  }, 180_000);

  it('of HTML are edited as HTML, and a fault names its language', async () => {
    const { editorUrl, id } = await newEmail(t);
    const page = await t.open(editorUrl, { expects: /status of 400/ });
    const bar = page.getByRole('region', { name: 'Language' });
    await bar.getByRole('button', { name: 'Add a language' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a language' });
    await adding.getByRole('combobox', { name: 'Language' }).fill('pt-br');
    await page.keyboard.press('Enter');
    await page.getByLabel('Subject').fill('{{ nobody_has_this }}');
    await page.keyboard.press('ControlOrMeta+s');
    await bar.getByRole('alert').getByText('Brazilian Portuguese (pt-BR)').waitFor();
    await page.getByLabel('Subject').fill('Olá');
    await save(page);
    expect((await languagesOf(id))['pt-BR']).toMatchObject({
      subject: 'Olá',
      html: expect.stringContaining('<p>Hello'),
    });
  }, 180_000);

  it('are chosen for a test send', async () => {
    const { editorUrl } = await newEmail(t, { html: undefined, design: small, languages: { de: german } });
    const page = await t.open(`${editorUrl}?language=de`);
    await page.getByRole('button', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Language' }).inputValue()).toBe('German (de)');
    const send = async (to: string) => {
      await dialog.locator('input[type=email]').fill(to);
      await dialog.getByRole('button', { name: /^Send/ }).click();
    };
    const subjectTo = async (to: string) => {
      const { data } = (await t.api('GET', '/v2/outbox')).body;
      return data.find((message: { to: string }) => message.to === to)?.subject;
    };
    await send('german@example.com');
    await expect.poll(() => subjectTo('german@example.com')).toBe('Neuigkeiten');
    await dialog.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Original' }).click();
    await send('original@example.com');
    await expect.poll(() => subjectTo('original@example.com')).toMatch(/^Hello/);
  }, 120_000);

  it('are shown to a viewer, who cannot change them', async () => {
    const { id } = await newEmail(t, { html: undefined, design: small, languages: { de: german } });
    const page = await t.openSignedOut('');
    await joinDemo(t, page, { name: 'Vic', email: `vic-lang${++tries}@example.com`, role: 'viewer' });
    await t.show(page, `emails/${id}`);
    const bar = page.getByRole('region', { name: 'Language' });
    await bar.locator('label', { hasText: 'German (de)' }).click();
    await canvas(page).getByText('Hallo zusammen').waitFor();
    await previewOf(page).getByText('Hallo zusammen').waitFor();
    expect(await bar.getByRole('button').count()).toBe(0);
  }, 120_000);

  it.each(widths)('can be read by everyone at %i pixels', async (width) => {
    const { editorUrl } = await newEmail(t, {
      ...{ html: undefined, design: small },
      languages: { de: german, fr: { subject: 'Salut' }, 'pt-BR': { subject: 'Olá' } },
    });
    const page = await t.open(`${editorUrl}?language=de`, { width });
    await settled(page);
    expect(await faultsOf(page, 'translation', width, true)).toEqual([]);
    await page.getByRole('region', { name: 'Language' }).locator('label', { hasText: 'French' }).click();
    await page.getByText('Same content as the original.').waitFor();
    expect(await faultsOf(page, 'own content', width, true)).toEqual([]);
    await page.getByRole('button', { name: 'Add a language' }).click();
    await page.getByRole('dialog', { name: 'Add a language' }).waitFor();
    expect(await faultsOf(page, 'dialog', width, true)).toEqual([]);
  });
});
