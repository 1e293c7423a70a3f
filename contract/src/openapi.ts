// The OpenAPI 3.1 documents, made only from the route objects.

import { takesIdempotencyKey, takesIfMatch } from './openapi-examples.js';
import {
  addEnvelopeSchemas,
  responsesOf,
  sharedHeaders,
  sharedParameters,
  sharedResponses,
} from './openapi-responses.js';
import { type Json, type SchemaBook, schemaBook } from './openapi-schema.js';
import { type Param, paramsIn } from './params.js';
import { type Route, scopeOf, type Version } from './route.js';
import { routes } from './routes.js';

export { errorCodesOf, exampleAnswer, exampleFailure, takesIdempotencyKey } from './openapi-examples.js';

export const apiVersion = '1.0.0';

const about = `Contacts, lists, emails and journeys of a customer-engagement platform.

Every answer with a body is one envelope: \`data\`, \`errors\`, \`meta\`, and \`pagination\` on paged reads. 401, 403 and 429 have
no body. Success is always 200. A known path with another method answers 405 \`METHOD_NOT_ALLOWED\` with an \`Allow\` header;
an unknown path, and an id of another tenant, answers 404 \`NOT_FOUND\`. Unknown query parameters and body fields are ignored.`;

const tags: Record<string, string> = {
  Contacts: 'The people that a tenant knows, each with an email and properties. Writes are asynchronous.',
  Properties: 'Which properties people have, and which values: for writing filters.',
  Events: 'What people do in the product.',
  Activity: 'What came of the mail to a contact, alone and merged with product events.',
  Users: 'Logins of a product; each belongs to a contact.',
  Organizations: 'The companies that product users are members of.',
  Lists: 'Lists of contacts: static ones by hand, dynamic ones by a filter.',
  'Dynamic lists': 'Lists whose members a filter decides; kept fresh as contacts change and time passes.',
  Emails: 'HTML emails, written as Liquid templates, with previews and test sends.',
  Files: 'Pictures for emails, at addresses that everyone can read.',
  Outbox: 'Messages that were kept instead of sent, because no mail server is set.',
  'Email versions': 'The text of an email for individual contacts.',
  Messages: 'Emails to individual contacts: what is sent, what came of it, and which addresses get no mail.',
  Topics: 'What people agreed to hear about: topics, what each contact said of them, and how that came about.',
  Forms: 'How people subscribe by themselves, and what they sent.',
  Broadcasts: 'One email to an audience, sent once: now, at a time, or at the local time of each contact.',
  Journeys: 'What happens to contacts over time: who enters, what each step does, and how contacts leave.',
  Why: 'Why a person did or did not get something: one sentence, then the evidence.',
  Statistics: 'What came of messages and journeys in any window: exact, with people and programs counted separately.',
  Webhooks: 'Where a tenant is told what happens to its messages and in its journeys.',
  'Identity providers': 'Single sign-on: which OpenID Connect providers speak for people of a workspace.',
  'Connected apps': 'Apps that people allowed to act for them by OAuth.',
  Folders: 'Where lists, emails and journeys are filed.',
  Workspace: 'Who calls, and the settings of their workspace: name, time zone, sending domains, mail server.',
  People: 'Who belongs to a workspace, what they may do, and who is invited.',
  Tokens: 'Personal access tokens: for programs that act for a person.',
  'Audit log': 'Who did what, in order, for good.',
};

export function buildOpenApi(version: Version, baseUrl: string): object {
  const book = schemaBook();
  addEnvelopeSchemas(book);
  const served = routes.filter((route) => route.area === 'api' && route.versions.includes(version));
  const paths: Record<string, Json> = {};
  for (const route of served) {
    const path = `/${version}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, version, book) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rapport API',
      version: apiVersion,
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl.replace(/\/+$/, '') }],
    tags: [...new Set(served.map((route) => route.tag))].map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      schemas: book.components(),
      parameters: usedOf('parameters', sharedParameters, paths),
      headers: sharedHeaders,
      responses: sharedResponses,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal access token of one tenant, or a token that an app got by OAuth.',
        },
      },
    },
    security: [{ bearer: [] }],
  };
}

/** Not every document has an operation for each of them. */
function usedOf(kind: string, shared: Json, paths: Json): Json {
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(shared).filter(([name]) => text.includes(`#/components/${kind}/${name}"`)));
}

function operation(route: Route, version: Version, book: SchemaBook): Json {
  const scope = scopeOf(route);
  const parameters = parametersOf(route, version);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, needsOf(route)].filter(Boolean).join('\n\n'),
    'x-scope': scope,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBody(route, book) } : {}),
    ...(route.consumes ? { requestBody: streamedBody(route, route.consumes) } : {}),
    responses: responsesOf(route, book),
    security: [{ bearer: [] }],
  };
}

function needsOf(route: Route): string {
  return `Needs a token with the ${scopeOf(route)} scope${route.adminOnly ? ', of an account with the role admin' : ''}.`;
}

function requestBody(route: Route, book: SchemaBook): Json {
  // A PATCH needs no key in particular, but an empty one is refused.
  const patch = route.method === 'PATCH';
  const { body: example } = route.example;
  return {
    required: patch || (route.body?.required?.length ?? 0) > 0,
    content: {
      'application/json': {
        schema: book.emit(patch ? { ...route.body, minProperties: 1 } : (route.body as object)),
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}

const binary = { type: 'string', format: 'binary' };
const fileOfForm = { type: 'object', properties: { file: binary }, required: ['file'] };

function streamedBody({ mostFileBytes }: Route, consumes: Readonly<Record<string, string>>): Json {
  const types = Object.entries(consumes).map(([type, example]) => {
    if (mostFileBytes === undefined) return [type, { schema: { type: 'string' }, example }];
    return [type, { schema: type === 'multipart/form-data' ? fileOfForm : binary }];
  });
  return { required: true, content: Object.fromEntries(types) };
}

function parametersOf(route: Route, version: Version): Json[] {
  const { path, query } = route.example;
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(route.pathParams?.[name] ? { description: route.pathParams[name] } : {}),
    schema: { type: 'string' },
    ...(path?.[name] === undefined ? {} : { example: path[name] }),
  }));
  const inQuery = Object.entries(paramsIn(version, route.query)).map(([name, param]) => ({
    name,
    in: 'query',
    required: param.required ?? false,
    description: [param.description, ...spellingsOf(name, param, route)].join(' '),
    ...(param.repeatable ? { style: 'form', explode: true } : {}),
    schema: param.repeatable ? { type: 'array', items: paramSchema(param) } : paramSchema(param),
    ...(query?.[name] === undefined ? {} : { example: exampleOf(param, query[name]) }),
  }));
  const headers = [
    ...(takesIdempotencyKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(takesIfMatch(route) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ];
  return [...inPath, ...inQuery, ...headers];
}

/** What else a query parameter may be called, in sentences. */
export function spellingsOf(name: string, param: Param, route: Route): string[] {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [
    ...(param.repeatable ? [`May be repeated, also as \`${name}[]\`.`] : []),
    ...(route.snakeCase && !param.repeatable && snake !== name ? [`Also accepted as \`${snake}\`.`] : []),
    ...(param.onlyV2 && route.versions.includes('v1') ? ['Not in version 1.'] : []),
  ];
}

/** The JSON Schema of one value of a query parameter. */
export function paramSchema(param: Param): Record<string, unknown> {
  switch (param.kind) {
    case 'whole':
      return { type: 'integer', format: 'int32', minimum: param.min, maximum: param.max, default: param.default };
    case 'choice':
      return { type: 'string', enum: [...param.words] };
    case 'instant':
      return { type: 'string', format: 'date-time' };
    case 'text':
      return { type: 'string' };
    default:
      return param satisfies never;
  }
}

function exampleOf(param: Param, value: string): unknown {
  const one = param.kind === 'whole' ? Number(value) : value;
  return param.repeatable ? [one] : one;
}

/** What the operations under a tag are about, in a sentence. */
export function describeTag(tag: string): string | undefined {
  return tags[tag];
}
