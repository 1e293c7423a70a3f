// The compose file, the Kubernetes manifests and the Dockerfile as data.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { projectDir } from './service.js';

export type Settings = Record<string, string>;

interface Compose {
  name: string;
  services: Record<string, { environment?: Settings; ports?: string[]; command?: string[] }>;
}

interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  name: string;
  image: string;
  env: { name: string; value: string }[];
  envFrom: Record<string, { name: string }>[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  command?: string[];
  args?: string[];
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Settings;
  spec?: {
    selector?: { matchLabels?: Settings } & Settings;
    ports?: { targetPort: string }[];
    template?: {
      metadata: { labels: Settings };
      spec: { containers: Container[]; securityContext: { runAsUser: number } };
    };
  };
}

export function textOf(file: string): string {
  return readFileSync(join(projectDir, file), 'utf8');
}

// The values that docs/operations.md tells people to put into deploy/.env.
const dotEnv: Settings = {
  POSTGRES_PASSWORD: '0123456789abcdef0123456789abcdef',
  ADMIN_TOKEN: 'a-token-of-this-test',
  SECRET_KEY: 'a-secret-key-of-this-test',
};

/** With `${NAME:-default}` and `${NAME:?why}` replaced, as `docker compose` does. */
export function readCompose(): Compose {
  const filled = textOf('deploy/compose.yaml').replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => {
    const value = dotEnv[name] ?? (kind === '-' ? rest : undefined);
    if (value === undefined)
      throw new Error(`deploy/compose.yaml needs ${name}, and docs/operations.md does not say so.`);
    return value;
  });
  return parse(filled, { merge: true });
}

export function readManifests(): Manifest[] {
  return parseAllDocuments(textOf('deploy/kubernetes.yaml')).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

export function deployments(): { role: string; container: Container; manifest: Manifest }[] {
  return readManifests().flatMap((manifest) =>
    (manifest.spec?.template?.spec.containers ?? []).map((container) => ({
      role: container.env.find(({ name }) => name === 'ROLE')?.value ?? '',
      container,
      manifest,
    })),
  );
}

/** The instructions in the last stage of the Dockerfile. */
export function readDockerfile() {
  const text =
    textOf('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? '';
  const line = (word: string) => new RegExp(`^${word} (.*)$`, 'm').exec(text)?.[1] ?? '';
  const env = Object.fromEntries(
    line('ENV')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  const commands = [...text.matchAll(/^ *CMD (\[.*\])$/gm)].map(([, json = '']) => JSON.parse(json) as string[]);
  const [healthcheck = [], command = []] = commands;
  return { env, user: line('USER'), port: Number(line('EXPOSE')), healthcheck, command };
}

/** The Secret that docs/operations.md tells people to create. */
export function documentedSecret(): Settings {
  const [, block = ''] =
    /kubectl create secret generic rapport \\\n((?: .*\n)+)/.exec(textOf('docs/operations.md')) ?? [];
  return Object.fromEntries(
    [...block.matchAll(/--from-literal=(\w+)="?([^"\s\\]+|\$\([^)]*\))"?/g)].map(([, name = '', value = '']) => [
      name,
      value.startsWith('$(') ? 'made-by-a-command' : value,
    ]),
  );
}
