// HTML and Liquid in what authors and people write is text, wherever it is shown.
import { expect, it } from 'vitest';
import { makeTopic } from '../../../test/consent.js';
import { makeEmail } from '../../../test/emails.js';
import { useFormMail } from '../../../test/form-mail.js';
import { email, formBody, makeForm, postJson, postPage } from '../../../test/forms.js';
import { eventually } from '../../../test/messages.js';

const m = useFormMail();
const { t } = m;
const nasty = `<script>alert(1)</script>{{ 'li' | append: 'quid' }}{% raw %}"'&amp;`;
const shown =
  '&lt;script&gt;alert(1)&lt;/script&gt;{{ &#39;li&#39; | append: &#39;quid&#39; }}{% raw %}&quot;&#39;&amp;amp;';
const expectText = (html: string, times: number) => {
  expect(html.split(shown).length - 1).toBeGreaterThanOrEqual(times);
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('liquid');
};

it('of a topic on the unsubscribe and preference pages', async () => {
  const topicId = await makeTopic(m.mailer, nasty, { byDefault: 'subscribed', description: nasty });
  const html = '<a href="{{preferences_url}}">p</a> <a href="{{unsubscribe_url}}">u</a>';
  const emailId = await makeEmail(m.mailer, { name: 'Linked', html });
  await m.mailer.patch(`/v2/emails/${emailId}`, { topicId });
  const contactId = await m.mailer.contact('pages@example.com');
  await m.mailer.until(await m.mailer.queue({ emailId, contactId }), 'sent');
  const mail = await eventually(
    async () => m.server.to('pages@example.com')[0]?.mail.html ?? '',
    (found) => found !== '',
  );
  const [preferences, unsubscribe] = ['p', 'u'].map((kind) => /\/t\/KIND\/[\w-]+/.source.replace('KIND', kind));
  for (const [pattern, times] of [
    [preferences, 2],
    [unsubscribe, 1],
  ] as const) {
    const path = new RegExp(pattern as string).exec(mail)?.[0] ?? '';
    expectText((await t.anonymous.get(path)).text, times);
  }
  const left = await t.anonymous.post(new RegExp(unsubscribe as string).exec(mail)?.[0] ?? '', '');
  expectText(left.text, 1);
});

it('of a form on its page, in its embed, its mail and the page of its link', async () => {
  const topicId = await makeTopic(m.mailer, `${nasty}!`, { doubleOptIn: true });
  const fields = [
    { ...email, label: nasty },
    { property: 'text', label: nasty, type: 'text' },
    { property: 'size', label: nasty, type: 'select', options: [nasty] },
    { property: 'hidden', label: nasty, type: 'hidden' },
  ];
  const made = { name: nasty, fields, topicIds: [topicId], consentText: nasty, success: { message: nasty } };
  const form = await makeForm(m.mailer, made);
  const page = await t.anonymous.get(`${form.path}?hidden=${encodeURIComponent(nasty)}`);
  // Title and heading, three labels, an option twice, the hidden value, the consent text.
  expectText(page.text.replaceAll('<script src="/f/form.js" async></script>', ''), 9);
  const { embed } = (await m.mailer.post('/v2/forms', formBody(made))).body.data;
  expectText(embed.replace(/<script src="[^"<>]*" async><\/script>/, ''), 6);
  const faulty = await postPage(t, form.path, { email: nasty, text: nasty, size: 'none' });
  expectText(faulty.text.replaceAll('<script src="/f/form.js" async></script>', ''), 10);
  const done = await postPage(t, form.path, { email: 'done@example.com' });
  expectText(done.text, 1);
  await postJson(t, form.path, { email: 'asked@example.com', text: nasty });
  const link = await m.linkTo('asked@example.com');
  const mail = m.server.to('asked@example.com')[0]?.mail.html ?? '';
  expect(mail).not.toContain('<script>');
  expect(mail).not.toContain('liquid');
  expect(mail).toContain('&lt;script&gt;');
  expectText((await t.anonymous.get(link)).text, 1);
});
