// A job of a lifecycle team, as a person does it: who is on the pro plan, signed up in the last 90 days, has three people in the organization
// who exported a report, and opened nothing for a month. It ends with a saved list of the right people.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, useConsole } from './console.js';

const field = (within: Page | Locator, name: string) => within.locator(`input[aria-label="${name}"]`);
const soon = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const person = (name: string, plan: string, signedUp: string, orgId: string, hasExported = false) => ({
  ...{ email: `${name}@crew.example`, plan, signedUp, orgId, hasExported },
});
const people = [
  person('nora', 'pro', daysAgo(10), 'north', true),
  person('omar', 'pro', daysAgo(20), 'north', true),
  person('pia', 'pro', daysAgo(80), 'north', true),
  person('uma', 'Pro', daysAgo(10), 'north'),
  person('quin', 'pro', daysAgo(100), 'north'),
  person('rosa', 'free', daysAgo(5), 'north'),
  person('vera', 'pro', 'last week', 'north'),
  person('saul', 'pro', daysAgo(5), 'south', true),
  person('tess', 'pro', daysAgo(5), 'south', true),
  // The demo has her open her mail.
  { ...person('', 'pro', daysAgo(10), 'north'), email: 'katherine@example.com' },
];
const right = ['nora', 'omar', 'pia', 'uma'].map((name) => `${name}@crew.example`);

describeInBrowser('an audience of exporters', () => {
  const console = useConsole();

  const makePeople = async () => {
    const write = async (path: string, body: unknown) => {
      const { status, body: answer } = await console.api('POST', path, body);
      expect(status, JSON.stringify(answer)).toBe(200);
      const { transactionId } = answer.data;
      const written = `/v2/${path.split('/')[2]}/transactions/${transactionId}`;
      if (transactionId) await soon(async () => (await console.api('GET', written)).body.data.status).toBe('DONE');
    };
    const contacts = people.map(({ email, plan, signedUp }) => ({ email, properties: { plan, signed_up: signedUp } }));
    await write('/v2/contacts/batch', { contacts });
    for (const orgId of ['north', 'south']) await write('/v2/organizations', { orgId, name: orgId });
    for (const { email, orgId } of people)
      await write('/v2/users', { email, userId: `crew-${email}`, orgIds: [orgId] });
    const events = people
      .filter(({ hasExported }) => hasExported)
      .map(({ email }) => ({ userId: `crew-${email}`, eventName: 'report_exported', eventDate: daysAgo(2) }));
    await write('/v2/events', { events });
  };

  it('is described by clicking and typing, and saved as a list of the right people', async () => {
    await makePeople();
    const page = await console.open('lists');
    await page.getByRole('link', { name: 'New dynamic list' }).click();
    await page.getByTestId('count').waitFor();
    const begin = async (within: Locator, search: string, option: string | RegExp) => {
      await within.getByRole('button', { name: 'Add a condition' }).last().click();
      await soon(() => page.locator(':focus').getAttribute('aria-label')).toBe('A property, an event, a list…');
      await page.keyboard.type(search);
      await page.getByRole('option', { name: option }).first().click();
    };
    const filter = page.getByRole('group', { name: 'Filter', exact: true });

    await begin(filter, 'plan', /^plan /);
    const plan = page.getByRole('group', { name: 'Contact plan' });
    await field(plan, 'Value').fill('pro');
    // Somebody wrote it with a capital. The list of suggestions counts both.
    await page.getByRole('option', { name: /^Pro\s*1$/ }).waitFor();
    await page.keyboard.press('Escape');
    await plan.getByText('“Pro” (1) looks like “pro”, but is a different value.').waitFor();
    await plan.getByRole('button', { name: 'Include it' }).click();

    await begin(filter, 'signed_up', /^signed_up /);
    const signedUp = page.getByRole('group', { name: 'Contact signed_up' });
    await field(signedUp, 'Duration').fill('90');
    await signedUp.getByText('1 of 10 values is not a date, such as “last week”. They don’t match.').waitFor();

    await begin(filter, 'members', 'Number of members who match');
    const members = page.getByRole('group', { name: /^Organization members/ });
    await field(members, 'Lowest').fill('3');
    await begin(members, 'report_exported', 'report_exported');

    await begin(filter, 'opened', 'opened an email');
    const opened = page.getByRole('group', { name: 'Email opened an email' });
    await field(opened, 'How often').click();
    await page.getByRole('option', { name: 'never' }).click();

    await soon(() => page.getByTestId('count').textContent()).toBe('4');
    // What each condition does is at the condition.
    await signedUp.getByText('2 removed', { exact: false }).waitFor();
    await members.getByText('5 remain · 2 removed').waitFor();
    await opened.getByText('4 remain · 1 removed').waitFor();

    await page.getByRole('button', { name: 'Save as list' }).click();
    await page.getByLabel('Name').fill('Exporters who went quiet');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Exporters who went quiet' }).waitFor();
    await page.getByText('Up to date').waitFor();
    const table = page.getByRole('table', { name: 'Members' });
    await soon(async () => {
      const rows = await table.getByText(/^\S+@\S+$/).allTextContents();
      return [...new Set(rows)].sort();
    }).toEqual(right);
  });
});
