// Typing into the block editor with 60 blocks, in Chromium: how long the page's own thread works for a key, compared with the same texts in a
// bare contenteditable.
import { chromium } from 'playwright-core';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { callJson, makeTenant, readAdminToken } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';

const blocks = 60;
const keys = 300;
const goalMs = 8;
const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
const sentence =
  'Everything that changed this month, in a few lines that are quickly read and say what it means for you. ';

/** @param {string} text */
const paragraph = (text) => [{ type: 'paragraph', spans: [{ text }] }];

/** As long as any email gets, with every kind of text and columns. */
function design() {
  /** @type {object[]} */
  const all = [];
  while (all.length < blocks - 8) {
    all.push(
      { type: 'heading', level: 2, content: paragraph(`Part ${all.length}`) },
      { type: 'text', content: paragraph(sentence.repeat(2)) },
      { type: 'button', label: 'Read on', href: 'https://example.com' },
    );
  }
  const text = { type: 'text', content: paragraph(sentence) };
  const columns = [1, 2].map(() => ({ width: 50, blocks: [text, text] }));
  all.push({ type: 'columns', columns }, { type: 'divider' }, { type: 'footer', address: '1 High Street, London' });
  return { version: 1, blocks: all };
}

/** @param {(line: string) => void} say */
export async function bench(say) {
  const env = { DEMO: 'off', PORT: String(await freePort()) };
  const service = await startService({ dataDir: await makeDataDir(), env, discardOutput: true });
  const { token, tenantId } = await makeTenant(service);
  await callJson(`${service.url}/admin/tenants/${tenantId}/sending-domains`, {
    ...{ token: await readAdminToken(service.dataDir), method: 'POST' },
    body: { domain: 'example.com' },
  });
  const { status, body } = await callJson(`${service.url}/v2/emails`, {
    ...{ token, method: 'POST' },
    body: { name: 'Long', subject: 'Long', fromEmail: { email: 'hello@example.com' }, design: design() },
  });
  if (status !== 200) throw new Error(`The email was answered ${status}: ${JSON.stringify(body)}`);
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.addInitScript(`try { sessionStorage.setItem('rapport-token', ${JSON.stringify(token)}) } catch {}`);
    await page.goto(`${service.url}/console/emails/${body.data.id}`);
    const text = page.locator('[data-path="blocks[25]"]');
    await text.getByText('Everything').click();
    const own = await typing(page);
    const stepped = await page.locator('[data-path]').count();
    await page.goto('about:blank');
    await page.setContent(`<div contenteditable>${`<p>${sentence.repeat(2)}</p>`.repeat(blocks)}</div>`);
    await page.locator('p').nth(25).click();
    const bare = await typing(page);
    say(`${stepped} blocks, ${keys} keys`);
    say(`editor: ${own.all.toFixed(2)} ms of the page's thread a key (goal: under ${goalMs} ms)${partsOf(own)}`);
    say(`bare contenteditable: ${bare.all.toFixed(2)} ms a key${partsOf(bare)}`);
    say(`ratio: ${(own.all / bare.all).toFixed(1)}`);
  } finally {
    await browser.close();
  }
  await service.stop();
}

/** @param {Record<'all' | 'script' | 'style' | 'layout', number>} cost */
function partsOf({ all, script, style, layout }) {
  const parts = { script, style, layout, 'input, paint and the rest': all - script - style - layout };
  const said = Object.entries(parts).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return `: ${said.join(', ')}`;
}

/**
 * Types, and returns what a key took, in milliseconds. CPU time is that of the page's own thread, so other load is not included.
 * @param {import('playwright-core').Page} page
 */
async function typing(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    /** @param {string} wanted */
    const seconds = (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? 0;
    return {
      all: seconds('TaskDuration'),
      script: seconds('ScriptDuration'),
      style: seconds('RecalcStyleDuration'),
      layout: seconds('LayoutDuration'),
    };
  };
  const text = 'the quick brown fox jumps over a lazy dog '.repeat(Math.ceil(keys / 42)).slice(0, keys);
  // Warm, as for a person who is writing.
  await page.keyboard.type(text.slice(0, 40));
  const before = await worked();
  await page.keyboard.type(text);
  const after = await worked();
  await session.detach();
  /** @param {keyof typeof after} part */
  const cost = (part) => ((after[part] - before[part]) * 1000) / keys;
  return { all: cost('all'), script: cost('script'), style: cost('style'), layout: cost('layout') };
}
