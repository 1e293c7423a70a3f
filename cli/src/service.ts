// Where the service is, and the token to use there.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Complaint, codeOf } from './complaint.js';
import { fileComplaint } from './system-error.js';

export interface Service {
  url: string;
  token: string;
}

/** From the options `--url` and `--token`, else from the environment, else the demo's own. */
export async function findService(
  { url, token }: { url?: string | undefined; token?: string | undefined },
  env: NodeJS.ProcessEnv,
): Promise<Service> {
  return { url: urlOf(url || env.RAPPORT_URL || 'http://127.0.0.1:8080'), token: await findToken(token, env) };
}

function urlOf(given: string): string {
  const url = given.replace(/\/+$/, '');
  if (/^https?:\/\/./.test(url) && URL.canParse(url)) return url;
  throw new Complaint(`"${url}" is not an address such as http://127.0.0.1:8080.`);
}

async function findToken(given: string | undefined, env: NodeJS.ProcessEnv): Promise<string> {
  // Of a variable that is not set, as a rule: the demo tenant is not what was meant.
  if (given === '') throw new Complaint('--token is empty. Give a token, or leave it out.');
  const named = given ?? env.RAPPORT_TOKEN;
  if (named) return requireToken(named);
  const file = join(env.DATA_DIR || './data', 'demo-token');
  const token = await readFile(file, 'utf8').catch((error) => {
    const why = codeOf(error) === 'ENOENT' ? undefined : fileComplaint(error, file, 'read');
    throw new Complaint(
      'No token: give one with --token or RAPPORT_TOKEN. ' +
        (why?.message ?? `There is no demo token in ${file} either.`),
    );
  });
  if (isToken(token.trim())) return token.trim();
  throw new Complaint(`What is in ${file} is not a token. Give one with --token or RAPPORT_TOKEN.`);
}

const isToken = (text: string) => /^[\x21-\x7e]+$/.test(text);

function requireToken(text: string): string {
  if (isToken(text)) return text;
  throw new Complaint(
    'This is not a token: it has spaces or special characters in it. Check --token or RAPPORT_TOKEN.',
  );
}
