// Whether a page asks for something only after it got something else. All its answers are held back until nothing more is asked for; what it
// asks for after that is a second wave.
import type { Page, Route } from 'playwright-core';

const quietMs = 300;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens a path of the console anew and tells what it asked for, wave by wave. */
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
    // Asked again is no wave: a live page polls.
    if (!seen.has(pathname)) waves.at(-1)?.push(`${request.method()} ${pathname}${search}`);
    seen.add(pathname);
    askedAt = Date.now();
    held.push(route);
  };
  await page.route('**/v2/**', hold);
  await page.goto(url);
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
  await page.unroute('**/v2/**', hold);
  return waves.filter((wave) => wave.length > 0);
}
