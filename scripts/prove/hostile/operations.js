// What can be called: every operation of our own OpenAPI documents, the routes of /admin, and the few that no document has.
import { routes } from '../../../contract/dist/index.js';

/**
 * @typedef {{ name: string, example?: unknown, schema: { enum?: string[], type?: string, items?: { enum?: string[] } }, required?: boolean }} Param
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} key Shown in tables: version and id.
 * @property {string} method
 * @property {string} path With names in braces.
 * @property {Param[]} query
 * @property {Record<string, unknown>} bodies Examples by media type.
 * @property {'api' | 'admin' | 'ingest' | 'open' | 'export'} area
 */

const methods = ['get', 'post', 'patch', 'put', 'delete'];

/**
 * @param {string} url
 * @returns {Promise<Operation[]>}
 */
export async function operationsOf(url) {
  const documents = await Promise.all(
    ['v1', 'v2'].map(async (version) =>
      fromDocument(version, await (await fetch(`${url}/openapi/${version}.json`)).json()),
    ),
  );
  return [...documents.flat(), ...ofAdmin(), ...others()];
}

/**
 * @param {string} version
 * @param {any} document
 * @returns {Operation[]}
 */
function fromDocument(version, document) {
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ path, method, operation })),
  );
  return found.map(({ path, method, operation }) => {
    const content = Object.entries(operation.requestBody?.content ?? {});
    return {
      id: operation.operationId,
      key: `${version} ${operation.operationId}`,
      method: method.toUpperCase(),
      path,
      query: (operation.parameters ?? []).filter((/** @type {any} */ param) => param.in === 'query'),
      bodies: Object.fromEntries(content.map(([type, { example }]) => [type, example])),
      area: 'api',
    };
  });
}

/** @returns {Operation[]} */
function ofAdmin() {
  const own = routes.filter(({ area }) => area === 'admin');
  return own.map(({ id, method, path, query, example }) => ({
    ...{ id, key: `admin ${id}`, method, path, area: 'admin' },
    query: Object.keys(query ?? {}).map((name) => ({ name, schema: {} })),
    bodies: example.body === undefined ? {} : { 'application/json': example.body },
  }));
}

const call = {
  userId: 'ada-1',
  traits: { email: 'ada@example.com', plan: 'pro' },
  properties: { rows: 2 },
  event: 'Report Exported',
  groupId: 'acme',
  name: 'Home',
};

/** @returns {Operation[]} */
function others() {
  const calls = ['track', 'identify', 'page', 'screen', 'group', 't', 'i', 'p', 'g', 's'];
  const batch = {
    batch: [
      { type: 'track', ...call },
      { type: 'identify', ...call },
    ],
  };
  const ingest = [
    ...calls.map((name) => ({ name, body: /** @type {object} */ (call) })),
    { name: 'batch', body: batch },
  ];
  const open = [
    '/healthz',
    '/readyz',
    '/docs',
    '/docs/reference.css',
    '/docs/operations.json',
    '/docs/reference.js',
    '/openapi/v1.json',
    '/openapi/v2.json',
    '/',
    '/console',
    '/console/contacts',
  ];
  /** @type {(path: string, area: Operation['area'], method?: string, bodies?: Record<string, unknown>) => Operation} */
  const one = (path, area, method = 'GET', bodies = {}) => ({
    id: path,
    key: `${area} ${path}`,
    method,
    path,
    query: [],
    bodies,
    area,
  });
  return [
    ...ingest.map(({ name, body }) => one(`/ingest/v1/${name}`, 'ingest', 'POST', { 'application/json': body })),
    ...open.map((path) => one(path, 'open')),
    one('/console/preview', 'open', 'POST', { 'application/x-www-form-urlencoded': 'html=%3Cp%3EHello' }),
    one('/metrics', 'admin'),
    one('/exports/transactions/{transactionId}/errors', 'export'),
  ];
}
