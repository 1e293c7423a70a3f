// Requests to AWS, with limits on time and memory.
import type { Aws } from './sns.js';

const patienceMs = 10_000;
// Bytes. A certificate takes 2 KB.
const longest = 64 * 1024;
// AWS has one per region, and changes it occasionally.
const mostKept = 64;

/** Certificates are cached: a new certificate has a new URL. */
export function fetchAws(fetch: typeof globalThis.fetch = globalThis.fetch): Aws {
  const kept = new Map<string, Promise<string>>();
  const get = async (url: string) => {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`AWS answered ${response.status}.`);
    return readText(response);
  };
  return {
    fetchCertificate: (url) => {
      const known = kept.get(url);
      if (known) return known;
      const [oldest] = kept.keys();
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
      const certificate = get(url);
      kept.set(url, certificate);
      certificate.catch(() => kept.delete(url));
      return certificate;
    },
    visit: async (url) => {
      await get(url);
    },
  };
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > longest) throw new Error('AWS answered with too much.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
