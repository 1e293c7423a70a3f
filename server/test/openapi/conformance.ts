// Every response that a test gets from the service must be one that the OpenAPI documents describe.
import { buildOpenApi } from '@rapport/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: this walks a JSON document.
type Json = any;
interface Operation {
  method: string;
  path: RegExp;
  responses: Record<string, Json>;
  document: Json;
}

/** Responses that any operation may give; the documents describe them once, in their introduction. */
const everywhere = [405, 431];

const ajv = new Ajv2020({ allowUnionTypes: true });
addFormats.default(ajv);
ajv.addVocabulary(['discriminator', 'components']);

const operations = (['v1', 'v2'] as const).flatMap((version) => operationsOf(buildOpenApi(version, 'http://x')));
const validators = new Map<Json, ValidateFunction>();
const names = new Map<Json, string>();

/** What in the response is not as documented; empty for anything outside the documents. */
export function undocumented(method: string, url: string, status: number, body: unknown): string | undefined {
  const path = url.split('?')[0] as string;
  const operation = operations.find((one) => one.method === method && one.path.test(path));
  if (!operation || everywhere.includes(status)) return undefined;
  const response = resolve(operation.responses[status], operation.document);
  if (!response) return `${method} ${path} answers ${status}`;
  const schema = response.content?.['application/json'].schema;
  if (!schema) return body === undefined ? undefined : `${method} ${path} answers ${status} with a body`;
  const validate = validatorOf(schema, operation.document);
  return validate(body) ? undefined : `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`;
}

function operationsOf(document: Json): Operation[] {
  const all = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, { responses }]) => ({ path, method, responses })),
  );
  // A path without a parameter takes precedence over one that has it at that place.
  all.sort((a, b) => (a.path.replaceAll('{', '~') < b.path.replaceAll('{', '~') ? -1 : 1));
  return all.map(({ path, method, responses }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
    responses,
    document,
  }));
}

function resolve(node: Json, document: Json): Json {
  const ref: string | undefined = node?.$ref;
  return ref ? document.components.responses[ref.slice(ref.lastIndexOf('/') + 1)] : node;
}

/** Accepts what a schema of the document accepts, formats included. */
export function validatorOf(schema: Json, document: Json): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const validate = ajv.compile(pointed(schema, nameOf(document)));
  validators.set(schema, validate);
  return validate;
}

/** Registered with the validator once: schemas that many responses refer to are compiled only for the first. */
function nameOf({ components: { schemas } }: Json): string {
  const known = names.get(schemas);
  if (known) return known;
  const name = `document-${names.size}`;
  ajv.addSchema({ $id: name, components: { schemas } });
  names.set(schemas, name);
  return name;
}

/** The schema with references into that document. */
function pointed(schema: Json, name: string): Json {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${name}${value}` : value,
  );
}
