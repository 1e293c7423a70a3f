import { createList } from '@rapport/contract';
import type { InjectOptions } from 'fastify';
import { expect, it } from 'vitest';
import { useApp } from '../../test/app.js';
import { clientOf } from './inside.js';

const t = useApp();

it('asks again if the service is not ready for a moment, as under load', async () => {
  const { token } = await t.tenant();
  const { http } = t.app;
  let refusals = 2;
  const busy = {
    inject: async (options: InjectOptions) =>
      refusals-- > 0 ? { statusCode: 503, headers: {}, payload: '' } : http.inject(options),
  } as unknown as typeof http;
  const { data } = await clientOf(busy, token).call(createList, { body: { name: 'Newsletter' } });
  expect([data.name, refusals]).toEqual(['Newsletter', -1]);
});
