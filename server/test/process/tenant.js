// A tenant of a running service, made through /admin, and JSON calls with its token.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @param {string} url
 * @param {{ token: string, method?: string, body?: unknown, headers?: Record<string, string> }} call
 */
export async function callJson(url, { token, method = 'GET', body, headers = {} }) {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

/** @param {string} dataDir */
export async function readAdminToken(dataDir) {
  return (await readFile(join(dataDir, 'admin-token'), 'utf8')).trim();
}

/**
 * @param {{ url: string, dataDir: string }} service
 * @param {{ rateLimit?: number }} [options] A budget that no load reaches, unless told.
 */
export async function makeTenant({ url, dataDir }, { rateLimit = 1_000_000 } = {}) {
  const token = await readAdminToken(dataDir);
  const tenant = await callJson(`${url}/admin/tenants`, { token, method: 'POST', body: { name: 'Load', rateLimit } });
  const tenantId = Number(tenant.body.data.tenantId);
  const body = { name: 'load', scopes: ['READ', 'WRITE'] };
  const made = await callJson(`${url}/admin/tenants/${tenantId}/tokens`, { token, method: 'POST', body });
  return { tenantId, accountId: Number(made.body.data.accountId), token: String(made.body.data.token) };
}
