// Writers are compiled when a route first responds: a schema without one must not go unnoticed until then.
import { routes } from '@rapport/contract';
import { expect, it } from 'vitest';
import { serializerOf, writerOf } from './serialize.js';

it.each(routes.map((route) => ({ name: route.id, route })))('$name has a writer of its data', ({ route }) => {
  expect(writerOf(route.data)).toBeTypeOf('function');
});

it('writes pages row by row, and nothing that the schema does not name', () => {
  const paged = routes.find(({ id }) => id === 'listFolders');
  if (!paged) throw new Error('Name a paged route here.');
  const row = { directoryId: 'f'.repeat(24), directoryName: 'One', secret: 'x' };
  const { secret: _, ...sent } = row;
  expect(JSON.parse(serializerOf(paged)([row, row]))).toEqual([sent, sent]);
  expect(serializerOf(paged)([])).toBe('[]');
});
