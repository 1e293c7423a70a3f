// The contacts table with 100,000 rows, scrolled in Chromium from end to end: how long a frame takes, against a page that has nothing to draw.
import { chromium } from 'playwright-core';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';

const contacts = Number(process.env.BENCH_CONTACTS ?? 100_000);
const frames = 600;
const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';

// Down the page in steps of a wheel's, one each frame, then the time between frames.
const scrolling = `new Promise((done) => {
  const took = [];
  let last = performance.now();
  let way = 1;
  const step = (now) => {
    took.push(now - last);
    last = now;
    if (took.length > ${frames}) return done(took.slice(1));
    if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2) way = -1;
    scrollBy(0, way * (took.length % 100 === 0 ? document.documentElement.scrollHeight / 7 : 160));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const service = await startService({ dataDir: await makeDataDir(), env: { DEMO: 'off' }, discardOutput: true });
  const { token } = await makeTenant(service);
  await importContacts(service.url, token);
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
  const browser = await chromium.launch({ executablePath, args });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.addInitScript(`try { sessionStorage.setItem('rapport-token', ${JSON.stringify(token)}) } catch {}`);
  await page.goto(`${service.url}/console/contacts`);
  await page.getByRole('table', { name: 'Contacts' }).waitFor();
  const rows = /** @type {number} */ (await page.evaluate('document.documentElement.scrollHeight'));
  const own = figures(await page.evaluate(scrolling));
  const inDocument = await page.locator('table tbody tr').count();
  await page.goto('about:blank');
  await page.setContent(`<div style="height:${rows}px"></div>`);
  const bare = figures(await page.evaluate(scrolling));
  await browser.close();
  await service.stop();
  say(`${contacts.toLocaleString('en')} contacts, ${frames} frames; ${inDocument} rows in the document at a time`);
  say(`table: p50 ${own.p50} ms, p95 ${own.p95} ms, p99 ${own.p99} ms, longest ${own.most} ms a frame`);
  say(`empty page: p50 ${bare.p50} ms, p95 ${bare.p95} ms, p99 ${bare.p99} ms, longest ${bare.most} ms a frame`);
  say(`ratio of frames in the same time: ${(bare.mean / own.mean).toFixed(2)}`);
}

/** @param {unknown} took */
function figures(took) {
  const sorted = /** @type {number[]} */ (took).toSorted((one, other) => one - other);
  /** @param {number} share */
  const at = (share) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * 10) / 10;
  return {
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    most: at(1),
    mean: sorted.reduce((sum, each) => sum + each, 0) / sorted.length,
  };
}

/**
 * @param {string} url
 * @param {string} token
 */
async function importContacts(url, token) {
  const lines = Array.from({ length: contacts }, (_, at) =>
    JSON.stringify({
      email: `person-${at}@example.com`,
      properties: { first_name: `Person ${at}`, plan: at % 3 ? 'free' : 'pro' },
    }),
  );
  const headers = { authorization: `Bearer ${token}` };
  const sent = await fetch(`${url}/v2/contacts/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  const { data } = /** @type {{ data: { transactionId: string } }} */ (await sent.json());
  for (;;) {
    const answer = await fetch(`${url}/v2/contacts/transactions/${data.transactionId}`, { headers });
    const { data: now } = /** @type {{ data: { status: string } }} */ (await answer.json());
    if (now.status === 'DONE') return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
