// The addresses that clicks lead to, by email, each with a number that its figures refer to. An address may identify the person who clicked:
// once everyone who clicked it is erased, it is shortened to its origin.
import { createHash } from 'node:crypto';
import type { Transaction } from '../../../../db/database.js';
import { insertLinks, type LinkRow, selectLinks, selectOrphans, shortenLinks } from './queries.js';

export interface WantedLink {
  emailId: string;
  url: string;
  /** Everyone who clicked it is erased: the address is shortened to its origin, unless others have shown more of it. */
  isErased: boolean;
}

/** The numbers of links, in order; new links get one. Call under the tenant's lock, like everything that applies fates. */
export async function placeLinks(
  tx: Transaction,
  tenantId: number,
  wanted: readonly WantedLink[],
): Promise<(number | undefined)[]> {
  if (wanted.length === 0) return [];
  const whole = wanted.map(({ emailId, url }) => linkOf(emailId, url));
  const known = await selectLinks(tx, tenantId, distinct(whole));
  const links = wanted.map(({ emailId, url, isErased }, i) => {
    const link = whole[i] as LinkRow;
    return isErased && !known.has(keyOf(link)) ? linkOf(emailId, originOf(url)) : link;
  });
  const fresh = distinct(links.filter((link) => !known.has(keyOf(link))));
  if (fresh.length > 0) {
    await insertLinks(tx, tenantId, fresh);
    for (const [key, linkNo] of await selectLinks(tx, tenantId, fresh)) known.set(key, linkNo);
  }
  return links.map((link) => known.get(keyOf(link)));
}

/** Shortens links that only erased people clicked. */
export async function forgetLinks(tx: Transaction, tenantId: number, linkNos: readonly number[]): Promise<void> {
  if (linkNos.length === 0) return;
  const orphans = await selectOrphans(tx, tenantId, linkNos);
  const long = orphans.filter(({ url }) => originOf(url) !== url);
  await shortenLinks(
    tx,
    tenantId,
    long.map(({ linkNo, url }) => ({ linkNo, url: originOf(url) })),
  );
}

/** `https://shop.test` of `https://ada@shop.test/orders?of=ada`. */
function originOf(url: string): string {
  const origin = URL.canParse(url) ? new URL(url).origin : 'null';
  return origin === 'null' ? '' : origin;
}

function linkOf(emailId: string, url: string): LinkRow {
  return { emailId, url, hash: createHash('sha256').update(url).digest('hex') };
}

function keyOf({ emailId, hash }: LinkRow): string {
  return `${emailId}:${hash}`;
}

function distinct(links: readonly LinkRow[]): LinkRow[] {
  return [...new Map(links.map((link) => [keyOf(link), link])).values()];
}
