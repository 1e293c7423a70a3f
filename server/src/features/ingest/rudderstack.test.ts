// RudderStack's own package for Node, over a line that loses an answer.
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Analytics from '@rudderstack/rudder-sdk-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { readEvents } from '../../../test/events.js';

const t = useApp({ work: true });
const received: IncomingHttpHeaders[] = [];
let answersLost = 0;
let line: Server;

beforeAll(async () => {
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.app.http.server.address() as AddressInfo;
  line = createServer((from, to) => {
    received.push(from.headers);
    const { url, method, headers } = from;
    const onward = request({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
      if (answersLost > 0) {
        answersLost--;
        answer.resume();
        answer.on('end', () => from.socket.destroy());
      } else answer.pipe(to.writeHead(answer.statusCode ?? 0, answer.headers));
    });
    from.pipe(onward);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  line?.closeAllConnections();
  line?.close();
});

function analyticsOf({ token }: TenantClient): Analytics {
  const { port } = line.address() as AddressInfo;
  return new Analytics(token, { dataPlaneUrl: `http://127.0.0.1:${port}/ingest`, logLevel: 'none' });
}

it('has every call of @rudderstack/rudder-sdk-node once, even when an answer is lost and the batch comes again', async () => {
  const tenant = await t.tenant();
  const analytics = analyticsOf(tenant);
  // It sends its very first call alone, at once.
  analytics.identify({ userId: 'ada', traits: { email: 'ada@example.com', plan: 'pro' } });
  await analytics.flush();
  answersLost = 1;
  analytics.track({ userId: 'ada', event: 'Report Exported', properties: { format: 'csv' } });
  analytics.track({ userId: 'ada', event: 'Report Printed' });
  analytics.identify({ userId: 'ada', traits: { seats: 3 } });
  analytics.group({ userId: 'ada', groupId: 'acme', traits: { name: 'Acme Ltd' } });
  await analytics.flush();

  expect({ answersLost, requests: received.length }).toEqual({ answersLost: 0, requests: 3 });
  for (const headers of received)
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': expect.stringMatching(/^analytics-node\//),
    });

  // Writes are applied in order: once a later one is done, so are those before.
  await tenant.done(await tenant.post('/v2/contacts', { email: 'marker@example.com' }));
  const { data: user } = (await tenant.get('/v2/users/ada')).body;
  expect(user).toMatchObject({ email: 'ada@example.com', properties: { plan: 'pro', seats: 3 } });
  const events = await readEvents(tenant, user.contactId);
  expect(events.map(({ eventName }) => eventName).sort()).toEqual(['Report Exported', 'Report Printed']);
  const { data: members } = (await tenant.get('/v2/organizations/acme/members')).body;
  expect(members).toMatchObject([{ userId: 'ada' }]);
  const { data: changes } = (await tenant.get(`/v2/contacts/${user.contactId}/activity-log`)).body;
  const fields = changes.map(({ field }: { field: string }) => field);
  expect(new Set(fields).size).toBe(fields.length);
  expect((await tenant.get('/v2/ingest-log')).body.data).toEqual([]);
});
