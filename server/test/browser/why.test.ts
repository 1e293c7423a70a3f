// "Why did this person (not) get this?" from everywhere it can be asked, and the page of a contact.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser, settled, useConsole } from './console.js';

const t = useConsole();

let ada = '';
let journey = '';

beforeAll(async () => {
  ada = (await t.api('GET', '/v2/contacts/by-email/ada@example.com')).body.data.id;
  journey = (await t.api('GET', '/v2/journeys?search=Onboarding')).body.data[0].journeyId;
});

const evidence = (page: Page) => page.getByRole('list', { name: 'Evidence' }).getByRole('listitem');

/** Picks what a field offers for a text, with the keyboard alone. */
async function pick(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).fill(text);
  const offered = page.getByRole('option', { name: new RegExp(text, 'i') }).first();
  await offered.waitFor();
  for (let turn = 0; turn < 10; turn++) {
    if ((await offered.getAttribute('data-combobox-selected')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

describeInBrowser('why', () => {
  it('is answered from a contact: pick the journey, read one sentence, share it', async () => {
    const page = await t.open(`contacts/${ada}`);
    await page.getByRole('main').getByRole('link', { name: 'Why?' }).click();
    await page.getByRole('heading', { name: 'Why did this person (not) get this?', level: 1 }).waitFor();
    await pick(page, 'About', 'Onboarding');
    const sentence = page.getByText(/Ada Lovelace entered “Onboarding”/);
    await sentence.waitFor();
    expect(await evidence(page).count()).toBeGreaterThan(1);
    const shared = page.url();
    expect(new URL(shared).search).toBe(`?contact=${ada}&journey=${journey}`);
    const other = await t.open(shared);
    await other.getByText((await sentence.textContent()) ?? '').waitFor();
    await other.getByRole('button', { name: 'Copy link' }).waitFor();
  });

  it('is answered from a message', async () => {
    const { messageId } = (await t.api('GET', `/v2/messages?contactId=${ada}`)).body.data[0];
    const page = await t.open(`messages/${messageId}`);
    await page.getByRole('main').getByRole('link', { name: 'Why?' }).click();
    await page.getByText(/^Ada Lovelace (got|did not get) /).waitFor();
    expect(new URL(page.url()).search).toBe(`?contact=${ada}&message=${messageId}`);
  });

  it('is asked of a journey with a person still to pick', async () => {
    const page = await t.open(`why?journey=${journey}`);
    await page.getByText('Choose a contact').waitFor();
    await pick(page, 'Contact', 'barbara');
    await page.getByText(/^Barbara .* (has not entered|did not enter|entered) “Onboarding”/).waitFor();
    expect(await evidence(page).count()).toBeGreaterThan(0);
  });

  it('is asked in the search as one would say it', async () => {
    const page = await t.open('messages');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('textbox', { name: 'Search everything' }).fill('why did ada not get onboarding?');
    await page.getByText('Why did ada@example.com (not) get “Onboarding”?').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/Ada Lovelace entered “Onboarding”/).waitFor();
  });

  it('takes what is typed before the search is there', async () => {
    const page = await t.open('messages');
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    let come = () => {};
    const comes = new Promise<void>((resolve) => {
      come = resolve;
    });
    await page.route(/\/search-[^/]*\.js/, async (route) => {
      await comes;
      await route.continue();
    });
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('why adaa');
    await page.keyboard.press('Backspace');
    come();
    const box = page.getByRole('textbox', { name: 'Search everything' });
    await expect.poll(() => box.inputValue()).toBe('why ada');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('@');
    await expect.poll(() => box.inputValue()).toBe('why ada@');
    await page.getByText('Why did ada@example.com (not) get…').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/why\?contact=/);
  });

  it('says what is wrong with an address that asks about nothing that is there', async () => {
    const page = await t.open(`why?contact=${ada}&journey=0123456789abcdef01234567`, { expects: /status of 404/ });
    await page.getByText('Not found').waitFor();
  });
});

describeInBrowser('the page of a contact', () => {
  it('tells more as one scrolls', async () => {
    const [email, events] = [`busy-${Date.now()}@example.com`, 130];
    await t.api('POST', '/v2/contacts', { email, properties: { first_name: 'Busy' } });
    const eventDate = (minute: number) => new Date(Date.UTC(2026, 9, 1, 0, minute)).toISOString();
    const sent = await t.api('POST', '/v2/events', {
      events: Array.from({ length: events }, (_, no) => ({ email, eventName: `step_${no}`, eventDate: eventDate(no) })),
    });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    const id = await eventually(async () => {
      const { body } = await t.api('GET', `/v2/contacts/by-email/${email}`);
      if (!body.data) return undefined;
      const { body: read } = await t.api('GET', `/v2/contacts/${body.data.id}/activity`);
      return read.pagination?.totalElements === events ? (body.data.id as string) : undefined;
    });
    const page = await t.open(`contacts/${id}?kind=product`);
    await page.getByText(`step_${events - 1}`, { exact: true }).waitFor();
    expect(await page.getByText('step_0', { exact: true }).count()).toBe(0);
    await eventually(async () => {
      await page.mouse.wheel(0, 20_000);
      return (await page.getByText('step_0', { exact: true }).count()) > 0 || undefined;
    });
    const told = await page.getByText(/^step_\d+$/).allTextContents();
    expect(told).toEqual(Array.from({ length: events }, (_, no) => `step_${events - 1 - no}`));
  });

  it('has properties that are edited where they stand, and undone', async () => {
    const page = await t.open(`contacts/${ada}`);
    await page.getByRole('button', { name: /^Edit seats/ }).click();
    await page.getByRole('textbox', { name: 'seats' }).fill('many');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a number').waitFor();
    await page.getByRole('textbox', { name: 'seats' }).fill('99');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit seats: 99' }).waitFor();
    expect((await t.api('GET', `/v2/contacts/${ada}`)).body.data.properties.seats).toBe(99);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Edit seats: 12' }).waitFor();
    await page.getByRole('button', { name: 'Add property' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Favourite Colour');
    await page.getByLabel('Value', { exact: true }).fill('iris');
    await page.keyboard.press('Enter');
    await page.getByText(/Use lowercase letters/).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('favorite_color');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit favorite_color: iris' }).waitFor();
  });

  it('says why a person is in a list', async () => {
    const page = await t.open(`contacts/${ada}/lists`);
    await page.getByRole('button', { name: 'Why in Reporting regulars' }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await settled(page);
  });

  it('erases a contact only once its address is typed', async () => {
    const email = 'leaving@example.com';
    await t.api('POST', '/v2/contacts', { email });
    const id = await eventually(async () => (await t.api('GET', `/v2/contacts/by-email/${email}`)).body.data?.id);
    const page = await t.open(`contacts/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Erase contact' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Erase permanently' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(email);
    await page.keyboard.press('Enter');
    await page.getByText(`${email} was erased.`).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/contacts');
    expect((await t.api('GET', `/v2/contacts/${id}`)).status).toBe(400);
  });
});

async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let turn = 0; turn < 1200; turn++) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('It did not come about within a minute.');
}
