import * as contract from '@rapport/contract';
import { expect, it } from 'vitest';
import { envelope, refusal, usePeer } from '../test/peer.js';

const peer = usePeer();

function pageOf(names: string[], pageNumber: number, totalPages: number) {
  const rows = names.map((directoryName) => ({ directoryName }));
  return envelope(rows, { pagination: { pageNumber, pageSize: 2, totalElements: 5, totalPages } });
}

it('answers one page with its totals', async () => {
  peer.answers(pageOf(['a', 'b'], 1, 3));
  const page = await peer.client().page(contract.listFolders, { query: { pageSize: 2 } });
  expect(page).toEqual({
    rows: [{ directoryName: 'a' }, { directoryName: 'b' }],
    pageNumber: 1,
    pageSize: 2,
    totalElements: 5,
    totalPages: 3,
  });
});

it('walks over all rows, with the largest pages there are', async () => {
  peer.answers(pageOf(['a', 'b'], 1, 3), refusal(503, 'NOT_READY'), pageOf(['c', 'd'], 2, 3), pageOf(['e'], 3, 3));
  const names: string[] = [];
  for await (const { directoryName } of peer.client().rows(contract.listFolders)) names.push(directoryName);
  expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(peer.received.map(({ url }) => url)).toEqual(
    [1, 2, 2, 3].map((pageNumber) => `/v2/folders?pageSize=200&pageNumber=${pageNumber}`),
  );
});

it('walks over pages from the one that is named, in the size that is named', async () => {
  peer.answers(pageOf(['c', 'd'], 2, 3), pageOf(['e'], 3, 3));
  const numbers: number[] = [];
  const query = { pageNumber: 2, pageSize: 2 };
  for await (const { pageNumber } of peer.client().pages(contract.listFolders, { query })) numbers.push(pageNumber);
  expect(numbers).toEqual([2, 3]);
  expect(peer.received[0]?.url).toBe('/v2/folders?pageNumber=2&pageSize=2');
});

it('requests no page that is not needed, and one if there is nothing', async () => {
  peer.answers(pageOf(['a', 'b'], 1, 3));
  for await (const _ of peer.client().rows(contract.listFolders)) break;
  expect(peer.received).toHaveLength(1);
  peer.answers(pageOf([], 1, 0));
  expect(await peer.client().rows(contract.listFolders).next()).toEqual({ done: true, value: undefined });
});

it('stops with the failure of a page', async () => {
  peer.answers(pageOf(['a', 'b'], 1, 3), refusal(400, 'VALIDATION_ERROR', 'No.'));
  const rows = peer.client().rows(contract.listFolders);
  expect(await rows.next()).toMatchObject({ value: { directoryName: 'a' } });
  await rows.next();
  await expect(rows.next()).rejects.toThrow('No.');
});
