// Another issuer of access tokens, on loopback: metadata, keys, and tokens that it signs; or none of them, as real ones do at times.
// Plain JavaScript, because bench/ runs it without a test runner.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/**
 * @typedef {object} Signing
 * @property {Record<string, unknown>} [header]
 * @property {import('jose').CryptoKey | Uint8Array} [key] Instead of the newest of its own.
 */

export class Issuer {
  audience = 'https://rapport.test';
  /** `fine` answers; `hanging` never does; `broken` says 500; `oauth` has no metadata of OpenID Connect. */
  mood = /** @type {'fine' | 'hanging' | 'broken' | 'oauth'} */ ('fine');
  /** The paths that were asked for, in their order. */
  asked = /** @type {string[]} */ ([]);
  /** @type {{ kid: string, privateKey: import('jose').CryptoKey, jwk: import('jose').JWK }[]} */
  keys = [];
  #made = 0;
  #server = createServer((request, response) => this.#answer(request.url ?? '', response));

  get url() {
    const address = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${address.port}`;
  }

  async start() {
    await this.addKey();
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Its newest key, which signs from now on. */
  async addKey(alg = 'ES256') {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const kid = `key-${++this.#made}`;
    this.keys.push({ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } });
  }

  /**
   * A token of five minutes, unless the claims say otherwise; `undefined` leaves a claim out.
   * @param {Record<string, unknown>} claims
   * @param {Signing} [signing]
   */
  sign(claims, { header = {}, key } = {}) {
    const newest = this.keys.at(-1);
    if (!newest) throw new Error('It was not started.');
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: this.url, aud: this.audience, sub: 'somebody', iat: now, exp: now + 300, scope: 'READ WRITE' };
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: newest.jwk.alg ?? '', kid: newest.kid, typ: 'at+jwt', ...header })
      .sign(key ?? newest.privateKey);
  }

  /**
   * @param {string} path
   * @param {import('node:http').ServerResponse} response
   */
  #answer(path, response) {
    this.asked.push(path);
    if (this.mood === 'hanging') return;
    const openId = '/.well-known/openid-configuration';
    const places = [...(this.mood === 'oauth' ? [] : [openId]), '/.well-known/oauth-authorization-server'];
    const body = places.includes(path)
      ? { issuer: this.url, jwks_uri: `${this.url}/keys` }
      : path === '/keys' && { keys: this.keys.map(({ jwk }) => jwk) };
    const status = this.mood === 'broken' ? 500 : body ? 200 : 404;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body || {}));
  }
}
