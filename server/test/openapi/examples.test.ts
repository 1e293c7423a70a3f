// Every example in the documents conforms to its schema, formats and patterns included.
import { buildOpenApi } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { undocumented, validatorOf } from './conformance.js';

// biome-ignore lint/suspicious/noExplicitAny: the tests walk a JSON document.
type Json = any;
interface Example {
  at: string;
  schema: Json;
  value: unknown;
}

const versions = ['v1', 'v2'] as const;

describe.each(versions)('the document of %s', (version) => {
  const doc: Json = buildOpenApi(version, 'http://127.0.0.1:8080');
  const examples = examplesIn(doc, '');
  const { schemas } = doc.components;

  it('has examples of bodies, parameters, answers and errors', () => {
    for (const part of ['requestBody', 'parameters', 'responses 200', 'responses 400', 'responses InternalError'])
      expect(examples.some(({ at }) => at.includes(part))).toBe(true);
  });

  it.each(examples)('obeys the schema of its example at $at', ({ schema, value }) => {
    const validate = validatorOf(schema, doc);
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });

  const answers = examples.filter(({ at }) => at.includes(' responses 200 '));
  it.each(answers)('has no 200 without data, errors or meta: $at', ({ schema, value }) => {
    const validate = validatorOf(schema, doc);
    for (const key of Object.keys(value as object)) {
      const { [key]: left, ...rest } = value as Record<string, unknown>;
      expect(validate(rest), `without ${key}: ${left}`).toBe(false);
    }
  });

  it('refuses an id, a time and an email of another form', () => {
    const list = answers.find(({ at }) => at.includes('/lists/{id} get'))?.value as Json;
    const isList = validatorOf(schemas.StaticList, doc);
    expect(isList(list.data)).toBe(true);
    expect(isList({ ...list.data, staticListId: 'x' })).toBe(false);
    expect(isList({ ...list.data, createdAt: 'today' })).toBe(false);
    expect(validatorOf(schemas.ContactInput, doc)({ email: 'nobody' })).toBe(false);
  });
});

describe('an answer of the service', () => {
  const meta = { status: 'SUCCESS', timestamp: '2026-11-15T09:30:00.000Z' };
  const unknown = { data: { transactionId: 'x', status: 'NOT_EXIST' }, errors: [], meta };

  it('is told apart from one that is not documented: another status, another shape, a body where there is none', () => {
    expect(undocumented('GET', '/v2/contacts/transactions/x', 200, unknown)).toBeUndefined();
    expect(undocumented('GET', '/v2/contacts/transactions/x', 404, unknown)).toContain('answers 404');
    expect(undocumented('GET', '/v2/contacts/x', 200, unknown)).toContain("must have required property 'id'");
    expect(undocumented('GET', '/v2/contacts/x', 401, unknown)).toContain('with a body');
  });
});

/** Everything with a `schema` and examples: parameters, headers, media types. */
function examplesIn(node: Json, at: string): Example[] {
  if (typeof node !== 'object' || node === null) return [];
  const found: Example[] = [];
  if (node.schema && 'example' in node) found.push({ at, schema: node.schema, value: node.example });
  if (node.schema && 'examples' in node) {
    for (const [name, { value }] of Object.entries<Json>(node.examples))
      found.push({ at: `${at} ${name}`, schema: node.schema, value });
  }
  for (const [key, inner] of Object.entries(node)) {
    if (key === 'schema' || key === 'example' || key === 'examples') continue;
    found.push(...examplesIn(inner, `${at} ${key}`));
  }
  return found;
}
