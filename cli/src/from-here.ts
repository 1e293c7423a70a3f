import { resolve } from 'node:path';

/** npm runs scripts in the project's folder; a file is meant from where the command was given. */
export function fromHere(env: NodeJS.ProcessEnv, file: string): string {
  return resolve(env.INIT_CWD ?? '.', file);
}
