import { beforeEach, expect, it } from 'vitest';
import { type Browser, browser, makePerson, signedIn, type TestPerson } from '../../../../test/accounts.js';
import { type Reply, useApp } from '../../../../test/app.js';
import { sql } from '../../../db/sql.js';
import { makeLink } from '../links/links.js';

const t = useApp();
const password = 'another horse in the stable';
let person: TestPerson;

beforeEach(async () => {
  person = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
});

async function byLink(): Promise<Browser> {
  const b = browser(t);
  const reply = await b.fill(`/oauth/link?token=${await makeLink(t.db, person.personId)}`);
  expect(reply.status).toBe(303);
  return b;
}

const page = '/oauth/session/account';
const change = (b: Browser): Promise<Reply> => b.post(page, { do: 'password', password });

it('lets a person who came by an operator’s link set a password without the old one', async () => {
  const b = await byLink();
  expect((await b.get(page)).body).toMatchObject({ hasPassword: true, asksPassword: false });
  expect((await change(b)).status).toBe(200);
  await signedIn(t, { ...person, password });
});

it('asks for the old one in other browsers, and an hour later', async () => {
  const before = await signedIn(t, person);
  const after = await byLink();
  await t.db.run(sql`
    update session set created_at = created_at - interval '61 minutes' where person_id = ${person.personId}`);
  await t.db.run(sql`
    update one_time_link set used_at = used_at - interval '61 minutes' where person_id = ${person.personId}`);
  expect((await change(after)).status).toBe(400);
  await t.db.run(sql`
    update session set created_at = now() - interval '5 minutes' where person_id = ${person.personId}`);
  await t.db.run(sql`update one_time_link set used_at = now() where person_id = ${person.personId}`);
  expect((await change(before)).status).toBe(400);
});
