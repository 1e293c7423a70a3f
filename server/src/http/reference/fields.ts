// Schemas and query parameters as tables that a person can read.
import { paramSchema, type Route, spellingsOf } from '@rapport/contract';
import { escapeHtml, prose, table } from './html.js';

/** The JSON Schema keywords that the contract uses, our private ones included. */
interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  shownAs?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  trim?: boolean;
  lowerCase?: boolean;
  default?: unknown;
}

interface Field {
  name: string;
  schema: Schema;
  required: boolean;
}

/** `contacts[].email`: nested fields get their own line. */
function fieldsOf(schema: Schema, prefix = ''): Field[] {
  const fields: Field[] = [];
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    const name = prefix + key;
    fields.push({ name, schema: inner, required: schema.required?.includes(key) ?? false });
    fields.push(...fieldsOf(inner, `${name}.`), ...fieldsOf(itemsOf(inner), `${name}[].`));
  }
  return fields;
}

/** Items that a feature checks one by one are shown as they should be. */
function itemsOf({ items = {} }: Schema): Schema {
  return items.shownAs ?? items;
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `constant ${JSON.stringify(schema.const)}`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  const types = [schema.type ?? 'any'].flat().map((type) => {
    if (type === 'array') return `array of ${typeOf(itemsOf(schema))}`;
    return type === 'string' && schema.format ? schema.format : type;
  });
  return types.join(' or ');
}

function range(min: number | undefined, max: number | undefined, unit = ''): string[] {
  const [low, high] = [min, max].map((bound) => bound?.toLocaleString('en-US'));
  if (low && max === 2_147_483_647) return [`at least ${low}`];
  if (low && high) return [`${low} to ${high}${unit}`];
  if (high) return [`at most ${high}${unit}`];
  return low ? [`at least ${low}${unit}`] : [];
}

function rulesOf(schema: Schema): string[] {
  const words = schema.enum ?? schema.items?.enum;
  const said = schema.description?.toLowerCase() ?? '';
  const rules = [
    ...(words ? [`one of ${words.map((word) => `\`${word}\``).join(', ')}`] : []),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minimum, schema.maximum),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...(schema.uniqueItems ? ['no repeats'] : []),
    ...(schema.trim ? ['trimmed'] : []),
    ...(schema.lowerCase ? ['lower-cased'] : []),
    ...(schema.default === undefined ? [] : [`default \`${schema.default}\``]),
  ];
  // The description may already say so.
  return rules.filter((rule) => !said.includes(rule));
}

function describe(schema: Schema): string {
  const rules = rulesOf(schema).join('; ');
  const sentence = rules === '' ? '' : `<span class="rules">${prose(capital(rules))}.</span>`;
  return [schema.description ? prose(schema.description) : '', sentence].filter(Boolean).join(' ');
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `mark` is the word under the name of a required field, or of an optional one in a response. */
function fieldTable(label: string, fields: Field[], mark: 'required' | 'optional'): string {
  const marked = (field: Field) => field.required === (mark === 'required');
  return table(label, [
    {
      head: 'Name',
      cells: fields.map(
        (field) => `<code>${escapeHtml(field.name)}</code>${marked(field) ? ` <span class="mark">${mark}</span>` : ''}`,
      ),
    },
    { head: 'Type', cells: fields.map(({ schema }) => `<span class="type">${escapeHtml(typeOf(schema))}</span>`) },
    { head: 'Rules', cells: fields.map(({ schema }) => describe(schema)) },
  ]);
}

export function bodyTable(route: Route): string {
  return route.body ? fieldTable('Body fields', fieldsOf(route.body as Schema), 'required') : '';
}

/** The media types of a streamed body, each with an example. */
export function streamTable({ consumes = {} }: Route): string {
  return table('Body media types', [
    { head: 'Content-Type', cells: Object.keys(consumes).map((type) => `<code>${escapeHtml(type)}</code>`) },
    { head: 'Example', cells: Object.values(consumes).map((example) => linesOf(example)) },
  ]);
}

function linesOf(example: string): string {
  const lines = example.trimEnd().split('\n');
  return lines.map((line) => `<code>${escapeHtml(line)}</code>`).join('<br>');
}

/** One table, or one per shape if rows differ. */
export function answerTables(route: Route): string {
  const data = route.data as Schema;
  return (data.anyOf ?? [data])
    .map((shape) => {
      const heading = data.anyOf && shape.title ? `<p class="shape"><code>${escapeHtml(shape.title)}</code></p>` : '';
      const note = shape.description ? `<p>${prose(shape.description)}</p>` : '';
      return heading + note + fieldTable('Response fields', fieldsOf(shape), 'optional');
    })
    .join('\n');
}

export function pathTable(route: Route): string {
  const fields = Object.entries(route.pathParams ?? {}).map(([name, description]) => ({
    name,
    schema: { type: 'string', description },
    required: true,
  }));
  return fieldTable('Path parameters', fields, 'required');
}

export function queryTable(route: Route): string {
  const fields = Object.entries(route.query ?? {}).map(([name, param]) => ({
    name,
    schema: {
      ...(paramSchema(param) as Schema),
      description: [param.description, ...spellingsOf(name, param, route)].join(' '),
    },
    required: param.required ?? false,
  }));
  return fieldTable('Query parameters', fields, 'required');
}
