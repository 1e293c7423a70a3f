import { expect, it } from 'vitest';
import { browser, formTokenOf, makePerson } from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { inviter } from '../../../../test/invitations.js';
import { sql } from '../../../db/sql.js';

const t = useApp();

it('says to ask an operator for a link if there is no mail server, and queues nothing', async () => {
  const { tenantId } = await t.tenant();
  const { email } = await makePerson(t, { tenantId });
  const b = browser(t);
  const page = await b.get('/oauth/forgot');
  expect([page.status, page.text.includes('sign-in-link')]).toEqual([200, true]);
  expect(page.text).not.toContain('<form');
  const form = formTokenOf((await b.get('/oauth/sign-in')).text);
  const reply = await b.submit('/oauth/forgot', { form, email });
  expect([reply.status, reply.text.includes('sign-in-link')]).toEqual([200, true]);
  const { isMailed } = await inviter(t).invite({ tenantId, email: 'new@example.com' });
  expect(isMailed).toBe(false);
  expect(await t.db.rows(sql`select from account_mail`)).toEqual([]);
  expect(await t.db.rows(sql`select from one_time_link`)).toEqual([]);
});
