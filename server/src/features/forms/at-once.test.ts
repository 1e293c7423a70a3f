// Forms, answers, pages, programs and files that speak of the same people at the same time: whatever the order comes to be, it is one order.
import { expect, it } from 'vitest';
import type { Reply } from '../../../test/app.js';
import { countsOf, makeTopic } from '../../../test/consent.js';
import { makeEmail } from '../../../test/emails.js';
import { useFormMail } from '../../../test/form-mail.js';
import { formCounts, makeForm, postJson, proofFor, settled, urlencoded } from '../../../test/forms.js';
import { eventually } from '../../../test/messages.js';

const m = useFormMail();
const { t } = m;
const people = Array.from({ length: 4 }, (_, i) => `person${i}@once.example`);
const words = ['subscribed', 'unsubscribed'] as const;

interface Entry {
  topicId: string;
  state: string;
  source: string;
}

it('leaves states, counts and log that agree, and no word twice in a row', async () => {
  const on = await makeTopic(m.mailer, 'On', { byDefault: 'subscribed' });
  const topics = [m.news, m.plain, on];
  const forms = await Promise.all(topics.map((topicId) => makeForm(m.mailer, { topicIds: [topicId] })));
  const html = '<a href="{{preferences_url}}">p</a><a href="{{unsubscribe_url}}">u</a>';
  const emailId = await makeEmail(m.mailer, { name: 'At once', html, topicId: on });
  const readers = await Promise.all(
    people.map(async (address) => {
      const contactId = await m.mailer.contact(address);
      await m.mailer.queue({ emailId, contactId });
      const html = await eventually(
        async () => m.server.to(address)[0]?.mail.html ?? '',
        (found) => found !== '',
      );
      const link = (kind: string) => new RegExp(`/t/${kind}/[\\w-]+`).exec(html)?.[0] ?? '';
      return { address, contactId, unsubscribe: link('u'), preferences: link('p') };
    }),
  );
  // A question is out for each of them.
  for (const { address } of readers) await postJson(t, forms[0]?.path ?? '', { email: address });
  const links = await Promise.all(readers.map(({ address }) => m.linkTo(address, 2)));
  const csv = { 'content-type': 'text/csv' };
  const file = `email,topic:plain,topic:on\n${people.map((address, i) => `${address},${i % 2 ? 'yes' : 'no'},yes`).join('\n')}`;
  const replies: Reply[] = [];
  for (const [i, { address, contactId, unsubscribe, preferences }] of readers.entries()) {
    // Found before: who searches for them here keeps the service waiting.
    const proofs = [];
    for (const { path } of forms) proofs.push({ path, altcha: await proofFor(t, path) });
    const wave = [
      ...topics.flatMap((topicId) => words.map((word) => m.put(contactId, topicId, word))),
      ...proofs.map(({ path, altcha }) => postJson(t, path, { email: address.toUpperCase(), altcha })),
      ...['List-Unsubscribe=One-Click', 'undo=1', 'all=1', 'all=1&undo=1'].map((body) =>
        t.anonymous.post(unsubscribe, body, urlencoded),
      ),
      t.anonymous.post(preferences, `was=${on}:1&was=${m.plain}:0&on=${m.plain}`, urlencoded),
      ...[links[i], links[i]].map((link) => m.confirm(link as string)),
      m.mailer.post('/v2/contacts/batch', { contacts: [{ email: address, topics: { on: words[i % 2] } }] }),
      ...(i === 0 ? [m.mailer.post('/v2/contacts/import', file, csv)] : []),
    ];
    replies.push(...(await Promise.all(wave)));
  }
  expect(replies.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`)).toEqual([]);
  for (const reply of replies) if (reply.body?.data?.transactionId) await m.mailer.done(reply);
  for (const { formId } of forms) await settled(m.mailer, formId, people.length);
  await m.mailer.done(await m.mailer.post('/v2/contacts/batch', { contacts: [{ email: 'last@once.example' }] }));
  const counted = new Map(topics.map((topicId) => [topicId, [0, 0, 0]]));
  for (const { contactId } of readers) {
    const log: Entry[] = (await m.mailer.get(`/v2/contacts/${contactId}/consent-log?pageSize=200`)).body.data;
    const standings: Entry[] = (await m.mailer.get(`/v2/contacts/${contactId}/topics`)).body.data;
    for (const { topicId, state, source } of standings) {
      const own = log.filter((entry) => entry.topicId === topicId);
      expect(own[0]).toMatchObject({ state, source });
      expect(own.filter((entry, i) => entry.state === own[i + 1]?.state)).toEqual([]);
      const counts = counted.get(topicId) as number[];
      const at = ['subscribed', 'unsubscribed', 'pending'].indexOf(state);
      counts[at] = (counts[at] as number) + 1;
    }
    // Two answers to one mail are one answer.
    expect(log.filter(({ source }) => source === 'confirmation').length).toBeLessThanOrEqual(1);
  }
  for (const topicId of topics) expect(await countsOf(m.mailer, topicId)).toEqual(counted.get(topicId));
  const [, submitted, confirmed] = await formCounts(m.mailer, forms[0]?.formId as string);
  expect([submitted, confirmed]).toEqual([2 * people.length, people.length]);
});
