// Whether a page requests something only after it received something else. All its responses are held back until there are no more requests; what
// it requests after that is a second wave.
import type { Page, Route } from 'playwright-core';

const quietMs = 300;
/** How long a page may take to load and make its requests; some make none. */
const loadMs = 2_500;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens a path of the console anew and returns its requests, wave by wave. */
export async function wavesOf(page: Page, url: string): Promise<string[][]> {
  const waves: string[][] = [[]];
  const seen = new Set<string>();
  let held: Route[] = [];
  let askedAt = Date.now();
  const calm = async () => {
    while (Date.now() - askedAt < quietMs) await sleep(25);
  };
  const hold = (route: Route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    // A repeated request is not a wave: a live page polls.
    if (!seen.has(pathname)) waves.at(-1)?.push(`${request.method()} ${pathname}${search}`);
    seen.add(pathname);
    askedAt = Date.now();
    held.push(route);
  };
  // The frame asks who is signed in, while the page is still loading.
  const reads = (address: URL) => address.pathname.startsWith('/v2/') && address.pathname !== '/v2/me';
  await page.route(reads, hold);
  await page.goto(url);
  for (const began = Date.now(); held.length === 0 && Date.now() - began < loadMs; ) await sleep(25);
  for (;;) {
    askedAt = Math.max(askedAt, Date.now());
    await calm();
    const ready = held;
    held = [];
    if (ready.length === 0 && waves.length > 1) break;
    waves.push([]);
    await Promise.all(ready.map((route) => route.continue()));
    if (waves.length > 6) break;
  }
  await page.unroute(reads, hold);
  return waves.filter((wave) => wave.length > 0);
}
