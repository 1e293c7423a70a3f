import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { makeTopic } from '../../../test/consent.js';
import { engagementOf, html } from '../../../test/engagement.js';
import { makeForm, noBounds } from '../../../test/forms.js';
import { type Mailer, makeMailer } from '../../../test/messages.js';
import { makeTeam } from '../../../test/team.js';

const t = useApp({ work: true, forms: noBounds });
let mailer: Mailer;
beforeAll(async () => {
  mailer = await makeMailer(t, { html: `${html}<a href="{{preferences_url}}">Preferences</a>` });
});
const { sent } = engagementOf(t, () => mailer);
const path = '/v2/workspace/branding';
const unset = {
  ...{ name: null, logoUrl: null, accentColor: null, backgroundColor: null },
  ...{ darkAccentColor: null, darkBackgroundColor: null },
};

describe('the look of public pages', () => {
  it('is ours until it is set, as a whole, by admins alone', async () => {
    const team = await makeTeam(t);
    expect((await team.viewer.get(path)).body.data).toEqual(unset);
    const body = { name: 'Acme', logoUrl: 'https://Acme.example/logo.png', accentColor: '#0B6B4F' };
    for (const person of [team.viewer, team.member]) expect((await person.put(path, body)).status).toBe(403);
    const stored = { ...unset, name: 'Acme', logoUrl: 'https://acme.example/logo.png', accentColor: '#0b6b4f' };
    expect((await team.admin.put(path, body)).body.data).toEqual(stored);
    expect((await team.member.get(path)).body.data).toEqual(stored);
    const [entry] = await auditOf(t, team.tenantId, 'workspace.changed');
    expect(entry).toMatchObject({ detail: expect.anything() });
    expect((await team.admin.put(path, { name: 'Other' })).body.data).toEqual({ ...unset, name: 'Other' });
    expect((await team.admin.put(path, {})).body.data).toEqual(unset);
    expect((await mailer.get(path)).body.data).toEqual(unset);
  });

  it.each([
    [{ logoUrl: 'http://acme.example/logo.png' }, 'logoUrl'],
    [{ logoUrl: 'javascript:alert(1)' }, 'logoUrl'],
    [{ logoUrl: 'data:image/png;base64,AAAA' }, 'logoUrl'],
    [{ logoUrl: 'https://me:secret@acme.example/' }, 'logoUrl'],
    [{ logoUrl: 'https://' }, 'logoUrl'],
    [{ accentColor: 'red' }, 'accentColor'],
    [{ accentColor: '#fff' }, 'accentColor'],
    [{ darkAccentColor: '#12345g' }, 'darkAccentColor'],
    [{ backgroundColor: '#ffffff; } body { display: none' }, 'backgroundColor'],
    [{ darkBackgroundColor: 7 }, 'darkBackgroundColor'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
  ])('refuses %j', async (body, field) => {
    const { admin } = await makeTeam(t);
    const refused = await admin.put(path, body);
    expect([refused.status, refused.body.errors[0].detail]).toEqual([400, field]);
    expect((await admin.post(`${path}/preview`, body)).status).toBe(400);
    expect((await admin.get(path)).body.data).toEqual(unset);
  });

  it('is on every page for people, and their policy lets in that logo alone', async () => {
    const news = await makeTopic(mailer, 'News');
    const { links } = await sent('person@example.com');
    const form = await makeForm(mailer, { topicIds: [news], allowedOrigins: ['https://shop.example'] });
    const closed = await makeForm(mailer, { state: 'closed' });
    const paths = [links.unsubscribe, links.preferences, form.path, closed.path];
    for (const each of paths) {
      const page = await t.anonymous.get(each);
      expect(page.text).not.toContain('class="brand"');
      expect(page.headers['content-security-policy']).not.toContain('img-src');
    }
    const logoUrl = 'https://cdn.example/logo.png?v=2';
    const colors = { accentColor: '#ffd400', backgroundColor: '#fafafa', darkBackgroundColor: '#000000' };
    const { tenantId } = mailer;
    const admin = await t.admin.post(`/admin/tenants/${tenantId}/tokens`, { name: 'x', scopes: ['READ', 'WRITE'] });
    const owner = t.withToken(admin.body.data.token);
    expect((await owner.put(path, { name: 'Acme & Sons', logoUrl, ...colors })).status).toBe(200);
    for (const each of paths) {
      const page = await t.anonymous.get(each);
      expect(page.text).toContain(`<img src="${logoUrl}" alt="Acme &amp; Sons">`);
      expect(page.text).toContain('--button: #ffd400; --on-button: #000000;');
      const policy = page.headers['content-security-policy'] ?? '';
      expect(policy).toContain(' img-src https://cdn.example/logo.png;');
      expect(policy.match(/'sha256-/g)).toHaveLength(2);
      expect(policy).not.toContain('unsafe');
      expect(page.headers['referrer-policy']).toBe('no-referrer');
    }
    const left = await t.anonymous.post(links.unsubscribe, '');
    expect(left.text).toContain('Acme &amp; Sons');
    const saved = await t.anonymous.post(links.preferences, `was=${news}:0&on=${news}`);
    expect(saved.text).toContain('Acme &amp; Sons');
  });

  it('is previewed on light and dark screens, without being stored', async () => {
    const { admin } = await makeTeam(t);
    const onLight = (await admin.post(`${path}/preview`, { backgroundColor: '#e8f0ec' })).body.data;
    expect([onLight.light, onLight.dark].map((page) => page.includes('#e8f0ec'))).toEqual([true, false]);
    const { light, dark } = (await admin.post(`${path}/preview`, { name: 'Acme', accentColor: '#0b6b4f' })).body.data;
    for (const page of [light, dark]) {
      expect(page).toContain('<p class="brand">Acme</p>');
      expect(page).toContain('Product news');
      expect(page).not.toContain('prefers-color-scheme');
    }
    expect(light).toContain('color-scheme: light;');
    expect(dark).toContain('color-scheme: dark;');
    expect(light).toContain('--button: #0b6b4f');
    expect(light).not.toContain('--card: #1e222d');
    expect(dark).toContain('--card: #1e222d');
    expect((await admin.get(path)).body.data).toEqual(unset);
  });
});
