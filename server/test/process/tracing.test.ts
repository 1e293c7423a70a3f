// Traces, from a request through the queue and a journey to the mail, as a collector gets them.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanUp, makeDataDir, startService } from './service.js';
import { callJson, makeTenant, readAdminToken } from './tenant.js';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  links?: { traceId: string }[];
  attributes: { key: string; value: Record<string, unknown> }[];
}
interface Export {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[];
}

const spans: Span[] = [];
const services = new Set<unknown>();
let collector: Server;
let service: Awaited<ReturnType<typeof startService>>;
let token: string;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    for (const { resource, scopeSpans } of ((await json(request)) as Export).resourceSpans) {
      services.add(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const env = { DEMO: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_SCHEDULE_DELAY: '50' };
  service = await startService({ dataDir: await makeDataDir(), env });
  const tenant = await makeTenant(service);
  ({ token } = tenant);
  const domains = `${service.url}/admin/tenants/${tenant.tenantId}/sending-domains`;
  const admin = await readAdminToken(service.dataDir);
  await callJson(domains, { token: admin, method: 'POST', body: { domain: 'example.com' } });
});
afterAll(async () => {
  await cleanUp();
  collector.close();
});

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await callJson(service.url + path, { token, method: 'POST', body, headers });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.data;
}

const traceparentOf = (traceId: string, flags = '01') => `00-${traceId}-00f067aa0ba902b7-${flags}`;
const namesOf = (traceId: string) =>
  spans
    .filter((span) => span.traceId === traceId)
    .map(({ name }) => name)
    .sort();

it('follows an event from the request through its write and a journey to the mail', async () => {
  await post('/v2/contacts', { email: 'ann@example.com', properties: {} });
  const { emailId } = await post('/v2/emails', {
    ...{ name: 'Hello', subject: 'Hello', fromEmail: { email: 'us@example.com', name: 'Us' } },
    html: '<p>Hello</p><a href="{{unsubscribe_url}}">Unsubscribe</a>',
  });
  const definition = {
    entry: { event: { eventName: 'signed_up' } },
    steps: [{ id: 'mail', type: 'sendEmail', emailId }],
  };
  const { journeyId } = await post('/v2/journeys', { name: 'Welcome', type: 'trigger', definition });
  await post(`/v2/journeys/${journeyId}/activate`, {});
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const event = { email: 'ann@example.com', eventName: 'signed_up' };
  await post('/v2/events', { events: [event] }, { traceparent: traceparentOf(traceId) });
  const whole = ['POST /v2/events', 'apply event.batch', 'journey turn', 'send mail'];
  await expect.poll(() => namesOf(traceId)).toEqual(whole);
  const own = spans.filter((span) => span.traceId === traceId);
  const parents = whole.map((name) => own.find((span) => span.name === name)?.parentSpanId);
  const ids = whole.map((name) => own.find((span) => span.name === name)?.spanId);
  expect(parents).toEqual(['00f067aa0ba902b7', ids[0], ids[1], ids[2]]);
  expect([...services]).toEqual(['rapport']);
  expect(JSON.stringify(spans)).not.toContain('ann@example.com');
});

it('keeps nothing of a request that its caller does not sample', async () => {
  const [unsampled, sampled] = ['5bf92f3577b34da6a3ce929d0e0e4736', '6bf92f3577b34da6a3ce929d0e0e4736'];
  await post('/v2/contacts', { email: 'bob@example.com' }, { traceparent: traceparentOf(unsampled, '00') });
  await post('/v2/contacts', { email: 'eve@example.com' }, { traceparent: traceparentOf(sampled) });
  await expect.poll(() => namesOf(sampled)).toContain('POST /v2/contacts');
  await expect.poll(() => namesOf(sampled).length).toBe(2);
  expect(namesOf(unsampled)).toEqual([]);
});

it('goes on while the collector is away, and ends in time', async () => {
  collector.close();
  collector.closeAllConnections();
  await post('/v2/contacts', { email: 'zoe@example.com' });
  expect(await service.stop()).toBe(0);
});
