import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCatalogue } from './errors.js';
import { buildOpenApi, errorCodesOf } from './openapi.js';
import { plausibleParams } from './openapi-examples.js';
import { routes } from './routes.js';

// biome-ignore lint/suspicious/noExplicitAny: the tests walk a JSON document.
type Doc = any;
const base = 'http://127.0.0.1:8080';
const docs: Record<'v1' | 'v2', Doc> = { v1: buildOpenApi('v1', base), v2: buildOpenApi('v2', base) };
const versions = ['v1', 'v2'] as const;

const operations = versions.flatMap((version) =>
  Object.entries<Doc>(docs[version].paths).flatMap(([path, item]) =>
    Object.entries<Doc>(item).map(([method, operation]) => ({ version, path, method, operation })),
  ),
);

function resolve(node: Doc, doc: Doc): Doc {
  if (!node.$ref) return node;
  const parts: string[] = node.$ref.slice(2).split('/');
  return parts.reduce((at: Doc, key) => at[key], doc);
}

describe('the OpenAPI documents', () => {
  it('hold every api route under each of its versions, and nothing else', () => {
    for (const version of versions) {
      const wanted = routes
        .filter((route) => route.area === 'api' && route.versions.includes(version))
        .map((route) => `${route.method} /${version}${route.path} ${route.id}`);
      const found = operations
        .filter((one) => one.version === version)
        .map(({ method, path, operation }) => `${method.toUpperCase()} ${path} ${operation.operationId}`);
      expect(found.sort()).toEqual(wanted.sort());
    }
  });

  it('describe /v1 as a part of /v2, word for word', () => {
    const inBoth = ({ description = '' }: Doc) => !description.endsWith('Not in version 1.');
    for (const [path, item] of Object.entries<Doc>(docs.v1.paths)) {
      const later = structuredClone(docs.v2.paths[path.replace('/v1/', '/v2/')]);
      for (const operation of Object.values<Doc>(later))
        if (operation.parameters) operation.parameters = operation.parameters.filter(inBoth);
      expect(later).toMatchObject(item);
    }
    expect(docs.v2.components.schemas).toMatchObject(docs.v1.components.schemas);
  });

  it('name a parameter that came after version 1 in version 2 alone', () => {
    const named = (version: 'v1' | 'v2') =>
      docs[version].paths[`/${version}/email-versions`].get.parameters.map(({ name }: Doc) => name);
    expect(named('v2').filter((name: string) => !named('v1').includes(name))).toEqual(['contactId', 'search']);
  });

  it('are the same text on every run', () => {
    expect(JSON.stringify(buildOpenApi('v2', base))).toBe(JSON.stringify(docs.v2));
  });

  it('have no $ref that leads nowhere', () => {
    for (const version of versions) {
      for (const [, ref = ''] of JSON.stringify(docs[version]).matchAll(/"\$ref":"([^"]+)"/g)) {
        expect(resolve({ $ref: ref }, docs[version]), ref).toBeTruthy();
      }
    }
  });

  it('have no component that nothing refers to', () => {
    for (const version of versions) {
      const { securitySchemes, ...components } = docs[version].components;
      const text = JSON.stringify(docs[version]);
      for (const [kind, named] of Object.entries<Doc>(components)) {
        for (const name of Object.keys(named)) expect(text).toContain(`"$ref":"#/components/${kind}/${name}"`);
      }
    }
  });

  it('describe each of their tags', () => {
    for (const { name, description } of [...docs.v1.tags, ...docs.v2.tags]) expect(description, name).toBeTruthy();
  });

  it('tell the rows of a mixed collection apart by a discriminator', () => {
    expect(docs.v2.components.schemas.ListRow).toMatchObject({
      oneOf: [{ $ref: '#/components/schemas/StaticList' }, { $ref: '#/components/schemas/DynamicList' }],
      discriminator: { propertyName: 'type', mapping: { static: '#/components/schemas/StaticList' } },
    });
  });
});

describe.each(operations)('$method $path', ({ version, method, operation }) => {
  const route = routes.find((one) => one.id === operation.operationId);

  it('has an example for every status with a body, and no body on 401, 403 and 429', () => {
    for (const [status, response] of Object.entries<Doc>(operation.responses)) {
      const { content, headers } = resolve(response, docs[version]);
      expect(headers['X-Request-Id'], status).toBeDefined();
      if (['401', '403', '429'].includes(status)) {
        expect(content, status).toBeUndefined();
        continue;
      }
      const { example, examples } = content['application/json'];
      const values = example ? [example] : Object.values<Doc>(examples).map((one) => one.value);
      expect(values.length, status).toBeGreaterThan(0);
      for (const value of values) expect(value.meta.status).toBe(status === '200' ? 'SUCCESS' : 'FAILURE');
    }
  });

  it('names every error code it can answer with, under its own status', () => {
    if (!route) throw new Error('no such route');
    for (const code of errorCodesOf(route)) {
      const { status } = errorCatalogue[code];
      if (status === 200) continue;
      const { value } = resolve(operation.responses[status], docs[version]).content['application/json'].examples[code];
      expect(value.errors[0].errorCode).toBe(code);
    }
  });

  it('takes an Idempotency-Key exactly when it is a POST', () => {
    const names = (operation.parameters ?? []).map((one: Doc) => resolve(one, docs[version]).name);
    expect(names.includes('Idempotency-Key')).toBe(method === 'post');
    expect('409' in operation.responses || method !== 'post').toBe(true);
  });

  it('has what a generator names and groups it by', () => {
    const { operationId, summary, tags, security } = operation;
    expect(operationId).toMatch(/^[a-z][a-zA-Z]+$/);
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    expect(tags).toEqual([expect.any(String)]);
    expect(docs[version].tags.map((one: Doc) => one.name)).toContain(tags[0]);
    expect(security).toEqual([{ bearer: [] }]);
  });

  it('takes an If-Match exactly when it can answer that somebody else was faster', () => {
    const names = (operation.parameters ?? []).map((one: Doc) => resolve(one, docs[version]).name);
    expect(names.includes('If-Match')).toBe('412' in operation.responses);
  });

  it('says which scope it needs', () => {
    // Compiling and counting store nothing. The weekly summary and alerts by mail are settings of the person, who may be a viewer.
    const needsOnlyRead = ['compileEmail', 'reachBroadcast', 'setWeeklySummary', 'setAlertMail'];
    const isRead = method === 'get' || needsOnlyRead.includes(operation.operationId);
    expect(operation['x-scope']).toBe(isRead ? 'READ' : 'WRITE');
    expect(operation.description).toContain(operation['x-scope']);
  });
});

describe.each(routes)('the example of $id', (route) => {
  it('is an answer that its own schema takes', () => {
    const schema = route.paged ? Type.Array(route.data) : route.data;
    expect(Value.Errors(schema, route.example.data)).toEqual([]);
  });

  it('is a request that the service would take', () => {
    if (route.body) expect(Value.Errors(route.body, route.example.body)).toEqual([]);
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(route.example.path ?? {})).toEqual(inPath);
    expect(Object.keys(route.pathParams ?? {})).toEqual(inPath);
    for (const name of Object.keys(route.example.query ?? {})) expect(route.query).toHaveProperty(name);
  });
});

describe('the error examples', () => {
  it.each(Object.entries(errorCatalogue))(
    '%s fills every placeholder with something plausible',
    (code, { message }) => {
      for (const [, name = ''] of message.matchAll(/\{(\w+)\}/g)) {
        expect(plausibleParams[code as ErrorCode]).toHaveProperty(name);
      }
    },
  );
});
