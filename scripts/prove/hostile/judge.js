/** @typedef {import('./sound.js').Request} Request */
/** @typedef {import('./send.js').Answer} Answer */

/**
 * What is wrong with a response, in words; usually nothing.
 * @param {Request} request
 * @param {Answer} answer
 * @param {string} path
 */
export function wrongWith({ method, isRaw }, { status, headers, text }, path) {
  if (status >= 500 && status !== 503) return `status ${status}`;
  if (!/^\/v[12](\/|\?|$)/.test(path)) return undefined;
  if (status === 401 || status === 403 || status === 429) return text === '' ? undefined : `${status} with a body`;
  // If it is not HTTP, the method is unknown.
  if (method === 'HEAD' && (text === '' || !isRaw)) return text === '' ? undefined : 'HEAD with a body';
  if (!String(headers['content-type']).startsWith('application/json')) return `content-type ${headers['content-type']}`;
  if (!headers['x-request-id']) return 'no X-Request-Id';
  return wrongWithEnvelope(status, text);
}

/**
 * @param {number} status
 * @param {string} text
 */
function wrongWithEnvelope(status, text) {
  /** @type {any} */
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  const strange = Object.keys(body ?? {}).filter((key) => !['data', 'errors', 'meta', 'pagination'].includes(key));
  if (strange.length > 0) return `${strange} in the envelope`;
  if (!('data' in body) || !Array.isArray(body.errors) || typeof body.meta?.timestamp !== 'string')
    return 'no envelope';
  if (status === 200) return undefined;
  const isTold = body.errors.some((/** @type {any} */ { errorCode, message }) => errorCode && message);
  return isTold && status >= 400 ? undefined : `${status} without an error`;
}
