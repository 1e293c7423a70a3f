// The contacts table with 100,000 rows, scrolled in Chromium from end to end: how long a frame takes, and how much of that is work of the page's
// own thread, compared with a page that has nothing to draw.
import { chromium } from 'playwright-core';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';

const contacts = Number(process.env.BENCH_CONTACTS ?? 100_000);
const frames = 600;
const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';

// Scrolls down in wheel steps, one per frame, then reads the times between frames.
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

// Jumps to the middle of all rows, and waits until the row there has a name.
const jumping = `new Promise((done) => {
  const start = performance.now();
  const isThere = () => [...document.querySelectorAll('table tbody a')].some((link) => {
    const { top, bottom } = link.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  const look = () => isThere() ? done(performance.now() - start) : requestAnimationFrame(look);
  scrollTo(0, document.documentElement.scrollHeight / 2 + innerHeight);
  requestAnimationFrame(() => requestAnimationFrame(look));
})`;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const env = { DEMO: 'off', PORT: String(await freePort()) };
  const service = await startService({ dataDir: await makeDataDir(), env, discardOutput: true });
  const { token } = await makeTenant(service);
  await importContacts(say, service.url, token);
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    await scroll(say, await browser.newPage({ viewport: { width: 1280, height: 860 } }), { url: service.url, token });
  } finally {
    await browser.close();
  }
  await service.stop();
}

/**
 * @param {(line: string) => void} say
 * @param {import('playwright-core').Page} page
 * @param {{ url: string, token: string }} service
 */
async function scroll(say, page, { url, token }) {
  await page.addInitScript(`try { sessionStorage.setItem('rapport-token', ${JSON.stringify(token)}) } catch {}`);
  await page.goto(`${url}/console/contacts`);
  await page.getByRole('table', { name: 'Contacts' }).waitFor();
  const height = /** @type {number} */ (await page.evaluate('document.documentElement.scrollHeight'));
  const jump = Math.round(/** @type {number} */ (await page.evaluate(jumping)));
  await page.evaluate('scrollTo(0, 0)');
  say(`scrolling ${height.toLocaleString('en')} px …`);
  const own = await frame(page);
  const inDocument = await page.locator('table tbody tr').count();
  await page.goto('about:blank');
  await page.setContent(`<div style="height:${height}px"></div>`);
  const bare = await frame(page);
  say(`${contacts.toLocaleString('en')} contacts, ${frames} frames; ${inDocument} rows in the document at a time`);
  say(
    `table: p50 ${own.p50} ms, p95 ${own.p95} ms, p99 ${own.p99} ms, longest ${own.most} ms a frame; ${own.busy} ms of processor time`,
  );
  say(
    `empty page: p50 ${bare.p50} ms, p95 ${bare.p95} ms, p99 ${bare.p99} ms, longest ${bare.most} ms a frame; ${bare.busy} ms of processor time`,
  );
  say(`ratio of frames in the same time: ${(bare.mean / own.mean).toFixed(2)}`);
  say(`from the top to the middle of all rows, until they are there: ${jump} ms`);
}

/**
 * Scrolls, and returns how long a frame took. CPU time is that of the page's own thread, so other load is not included.
 * @param {import('playwright-core').Page} page
 */
async function frame(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const before = await worked();
  const took = figures(await page.evaluate(scrolling));
  const busy = (((await worked()) - before) * 1000) / frames;
  await session.detach();
  return { ...took, busy: busy.toFixed(1) };
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
 * @param {(line: string) => void} say
 * @param {string} url
 * @param {string} token
 */
async function importContacts(say, url, token) {
  const lines = Array.from({ length: contacts }, (_, at) =>
    JSON.stringify({
      email: `person-${at}@example.com`,
      properties: { first_name: `Person ${at}`, plan: at % 3 ? 'free' : 'pro' },
    }),
  );
  say(`importing ${contacts.toLocaleString('en')} contacts …`);
  const headers = { authorization: `Bearer ${token}` };
  const sent = await fetch(`${url}/v2/contacts/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  if (!sent.ok) throw new Error(`The import was answered ${sent.status}: ${await sent.text()}`);
  const { data } = /** @type {{ data: { transactionId: string } }} */ (await sent.json());
  for (let told = Date.now(); ; ) {
    const answer = await fetch(`${url}/v2/contacts/transactions/${data.transactionId}`, { headers });
    const { data: now } = /** @type {Polled} */ (await answer.json());
    if (now.status === 'DONE') return;
    if (now.status !== 'PENDING') throw new Error(`The import is ${now.status}.`);
    if (Date.now() - told > 5000) {
      say(`  ${(now.progress?.done ?? 0).toLocaleString('en')} are in`);
      told = Date.now();
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** @typedef {{ data: { status: string, progress?: { done: number } } }} Polled */
