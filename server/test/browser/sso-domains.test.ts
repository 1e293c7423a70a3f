// Settings, single sign-on: which record to publish for a domain, and whether DNS has it.
import { expect, it } from 'vitest';
import { useDns } from '../dns.js';
import { useProvider } from '../identity-provider.js';
import { describeInBrowser, settled, useConsole, widths } from './console.js';

const dns = useDns();
const elsewhere = useProvider([]);
const t = useConsole(() => ({ WEBHOOK_ALLOW_PRIVATE: 'on', DNS_SERVERS: dns.address }));

describeInBrowser('a domain of single sign-on', () => {
  it('shows the record to publish, and is proven once DNS has it', async () => {
    const made = await t.api('POST', '/v2/identity-providers', {
      ...{ name: 'Acme directory', issuer: elsewhere.url, clientId: 'rapport', domains: ['acme.example'] },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const { record } = made.body.data.domainProofs[0];
    const page = await t.open('/console/settings/sso');
    await settled(page);
    const proofs = page.getByRole('region', { name: 'Domain verification' });
    await proofs.getByText('Not verified yet').waitFor();
    await proofs.getByText(record.name, { exact: true }).waitFor();
    await proofs.getByText(record.value, { exact: true }).waitFor();
    const check = proofs.getByRole('button', { name: 'Check domains' });
    await check.click();
    await proofs.getByText(/There is no TXT record at _rapport-sso\.acme\.example/).waitFor();
    dns.set('TXT', record.name, record.value);
    await check.click();
    await proofs.getByText('Verified', { exact: true }).waitFor();
  });

  it('fits on every screen', async () => {
    for (const width of widths) {
      const page = await t.open('/console/settings/sso', { width, colorScheme: width === 390 ? 'dark' : 'light' });
      await settled(page);
      await page.getByRole('button', { name: 'Check domains' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });
});
