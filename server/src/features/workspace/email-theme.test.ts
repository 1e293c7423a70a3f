import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { designBody, designOf, paragraph } from '../../../test/designed-emails.js';
import { tenantWithDomain } from '../../../test/emails.js';
import { makeTeam } from '../../../test/team.js';

const t = useApp();
const path = '/v2/workspace/email-theme';

describe('the theme that new emails begin with', () => {
  it('is none until admins set it, whole, and is of one workspace', async () => {
    const [team, other] = [await makeTeam(t), await makeTeam(t)];
    expect((await team.viewer.get(path)).body.data).toEqual({ theme: null });
    const theme = { button: '#0B6B4F', font: 'Georgia', radius: 0, dark: { surface: '#101010' } };
    for (const person of [team.viewer, team.member]) expect((await person.put(path, { theme })).status).toBe(403);
    expect((await team.admin.put(path, { theme })).body.data).toEqual({ theme });
    expect((await team.member.get(path)).body.data).toEqual({ theme });
    expect((await other.admin.get(path)).body.data).toEqual({ theme: null });
    const [entry] = await auditOf(t, team.tenantId, 'workspace.changed');
    expect(JSON.parse(entry?.detail ?? '')).toEqual({ emailTheme: theme });
    expect((await team.admin.put(path, { theme: { link: '#222222' } })).body.data).toEqual({
      theme: { link: '#222222' },
    });
    for (const none of [{ theme: null }, { theme: {} }, {}]) {
      expect((await team.admin.put(path, none)).body.data).toEqual({ theme: null });
      expect((await team.admin.get(path)).body.data).toEqual({ theme: null });
    }
  });

  it.each([
    [{ theme: 'dark' }, 'theme'],
    [{ theme: [] }, 'theme'],
    [{ theme: { button: 'red' } }, 'theme.button'],
    [{ theme: { width: 801 } }, 'theme.width'],
    [{ theme: { font: 'Comic Sans MS' } }, 'theme.font'],
    [{ theme: { dark: { text: '#12345' } } }, 'theme.dark.text'],
    [{ theme: { colour: '#123456' } }, 'theme.colour'],
  ])('refuses %j, with the place', async (body, place) => {
    const { admin } = await makeTeam(t);
    const refused = await admin.put(path, body);
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.errors[0].detail).toMatch(new RegExp(`^${place}(?![\\w.])`));
    expect((await admin.get(path)).body.data).toEqual({ theme: null });
  });

  it('changes neither emails that exist nor designs that programs send', async () => {
    const tenant = await tenantWithDomain(t);
    const make = async () => (await tenant.post('/v2/emails', designBody(designOf(paragraph('x'))))).body.data;
    const before = await make();
    await tenant.put(path, { theme: { button: '#0b6b4f' } });
    const after = await make();
    expect([before.design.theme, after.design.theme]).toEqual([undefined, undefined]);
    expect((await tenant.get(`/v2/emails/${before.emailId}`)).body.data).toEqual(before);
  });
});
