// What keeps mail from arriving is shown before anything is sent: by the setup, and by the check of a journey.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { type Mailer, makeMailer } from '../../../test/messages.js';
import { sql } from '../../db/sql.js';
import { smtpTransport } from '../../mail/smtp.js';

const bare = useApp({ baseUrl: () => 'http://127.0.0.1:8080' });
const whole = useApp({ transport: smtpTransport('smtp://127.0.0.1:1') });
const codesOf = (warnings: { code: string }[]) => warnings.map(({ code }) => code);

describe('an installation without a mail server and BASE_URL', () => {
  let mailer: Mailer;
  beforeAll(async () => {
    mailer = await makeMailer(bare);
  });

  it('says so, and which domains are not verified', async () => {
    const { body } = await mailer.get('/v2/sending/setup');
    expect(body.data.mailServer).toBe('outbox');
    expect(body.data.warnings).toMatchObject([
      { code: 'noMailServer', domain: null, message: expect.stringContaining('outbox') },
      { code: 'localBaseUrl', domain: null, message: expect.stringContaining('http://127.0.0.1:8080') },
      { code: 'unverifiedDomain', domain: 'example.com' },
    ]);
  });

  it('warns of it when a journey with emails is checked, as before activation', async () => {
    const definition = (steps: object[]) => ({ entry: { event: { eventName: 'x' } }, steps });
    const mail = definition([{ id: 'm', type: 'sendEmail', emailId: mailer.emailId }]);
    const check = async (steps: object) =>
      (await mailer.post('/v2/journeys/check', { type: 'trigger', definition: steps })).body.data;
    expect(codesOf((await check(mail)).warnings)).toEqual(['noMailServer', 'localBaseUrl', 'unverifiedDomain']);
    expect(await check(definition([{ id: 'e', type: 'exit' }]))).toEqual({ faults: [], warnings: [] });
  });
});

describe('an installation that is set up', () => {
  it('warns of nothing once the domain is verified, and a workspace may have a server of its own', async () => {
    const mailer = await makeMailer(whole);
    const read = async () => (await mailer.get('/v2/sending/setup')).body.data;
    expect(codesOf((await read()).warnings)).toEqual(['unverifiedDomain']);
    await whole.db.run(sql`update sending_domain set verified_at = now() where tenant_id = ${mailer.tenantId}`);
    expect(await read()).toEqual({ mailServer: 'installation', warnings: [] });
    const smtpUrl = 'smtp://mail.example.com';
    await whole.admin.put(`/admin/tenants/${mailer.tenantId}/transport`, { smtpUrl });
    expect((await read()).mailServer).toBe('workspace');
  });
});
