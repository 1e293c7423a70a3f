import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './openapi.js';
import { schemaBook } from './openapi-schema.js';
import { CheckedLater, Nullable, Properties, Words } from './schema.js';

// biome-ignore lint/suspicious/noExplicitAny: the tests walk a JSON document.
type Json = any;

const slots = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const moreSlots = ['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
/** The vocabularies of JSON Schema 2020-12, and the one that OpenAPI 3.1 adds. */
const keywords = new Set([
  ...[...slots, ...moreSlots, ...lists, ...maps],
  ...['$id', '$schema', '$ref', '$anchor', '$dynamicRef', '$dynamicAnchor', '$vocabulary', '$comment'],
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'maxContains', 'minContains'],
  ...['maxProperties', 'minProperties', 'required', 'dependentRequired', 'format'],
  ...['contentEncoding', 'contentMediaType'],
  ...['title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly', 'examples'],
  ...['discriminator', 'xml', 'externalDocs', 'example'],
]);

/** Every schema of a document, with all that are inside of it. */
function schemasIn(node: Json, isSchema = false): Json[] {
  if (typeof node !== 'object' || node === null) return [];
  if (!isSchema) {
    return Object.entries<Json>(node).flatMap(([key, inner]) => {
      if (key === 'example' || key === 'examples') return [];
      if (key === 'schemas') return Object.values(inner).flatMap((one) => schemasIn(one, true));
      return schemasIn(inner, key === 'schema');
    });
  }
  const inside = Object.entries<Json>(node).flatMap(([key, inner]) => {
    if ([...slots, ...moreSlots].includes(key)) return [inner];
    return lists.includes(key) || maps.includes(key) ? Object.values(inner) : [];
  });
  return [node, ...inside.flatMap((one) => schemasIn(one, true))];
}

function strangeKeywords(document: object): string[] {
  const used = schemasIn(document).flatMap((schema) => Object.keys(schema));
  return [...new Set(used)].filter((keyword) => !keywords.has(keyword));
}

describe('the schemas of the documents', () => {
  it.each(['v1', 'v2'] as const)('of %s use the keywords of OpenAPI 3.1 and no others', (version) => {
    const document = buildOpenApi(version, 'http://127.0.0.1:8080');
    expect(schemasIn(document).length).toBeGreaterThan(300);
    expect(strangeKeywords(document)).toEqual([]);
  });

  it('would be caught with a keyword of ours, however deep', () => {
    const items = { anyOf: [{ type: 'object', properties: { trim: { type: 'string', trim: true } } }] };
    const content = { 'application/json': { schema: { type: 'array', items }, example: { form: 1 } } };
    expect(strangeKeywords({ paths: { '/x': { get: { responses: { 200: { content } } } } } })).toEqual(['trim']);
  });
});

describe('a schema in the documents', () => {
  it('may not share its title with a different one', () => {
    const book = schemaBook();
    book.emit(Type.Object({ a: Type.String() }, { title: 'Same' }));
    expect(() => book.emit(Type.Object({ b: Type.String() }, { title: 'Same' }))).toThrow(
      'Two schemas are titled "Same".',
    );
  });

  it('keeps fields that are called like a keyword', () => {
    const schema = Type.Object({ title: Type.String(), trim: Type.Boolean() });
    expect(Object.keys(schemaBook().emit(schema).properties as object)).toEqual(['title', 'trim']);
  });

  it('takes null where it says so, by reference and in an enum too', () => {
    const book = schemaBook();
    expect(book.emit(Nullable(Words(['a', 'b'])))).toEqual({ type: ['string', 'null'], enum: ['a', 'b', null] });
    const folder = Nullable(Type.Object({ id: Type.String() }, { title: 'Place' }));
    expect(book.emit(folder)).toEqual({ anyOf: [{ $ref: '#/components/schemas/Place' }, { type: 'null' }] });
    expect(book.components().Place).toMatchObject({ type: 'object' });
  });

  it('is that of the items which a feature checks one by one', () => {
    const book = schemaBook();
    const items = CheckedLater(Type.Object({ email: Type.String() }, { title: 'Item' }));
    expect(book.emit(Type.Array(items))).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Item' } });
    expect(book.components().Item).toEqual({
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string' } },
    });
  });

  it('may be null where it is shown in more detail than it is checked', () => {
    expect(schemaBook().emit(Nullable(Properties('a thing')))).toMatchObject({
      type: ['object', 'null'],
      additionalProperties: { anyOf: [{ $ref: '#/components/schemas/PropertyValue' }, { type: 'null' }] },
      description: expect.stringContaining('a thing'),
    });
  });
});
