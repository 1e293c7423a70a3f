// TypeBox schemas → OpenAPI schemas: our private keywords go, titled schemas move to `components.schemas`.

import { isObject } from './is-object.js';

export type Json = Record<string, unknown>;

const privateKeywords = new Set(['trim', 'lowerCase', 'instant', 'form', 'requiredWithout']);
/** Keywords that hold schemas. All others hold plain values and are copied as they are. */
const schemaMaps = new Set(['properties', 'patternProperties']);
const schemaLists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const schemaSlots = new Set(['items', 'additionalProperties', 'not']);

export interface SchemaBook {
  /** The schema as the document shows it: a `$ref` when it has a title. */
  emit(schema: object): Json;
  /** Adds a component that no route mentions by itself. */
  add(name: string, schema: Json): void;
  /** Everything named so far, sorted by name. */
  components(): Record<string, Json>;
}

export function refTo(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

export function schemaBook(): SchemaBook {
  const named = new Map<string, Json>();

  function add(name: string, schema: Json): void {
    const known = named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas are titled "${name}".`);
    named.set(name, schema);
  }

  function emit(source: object): Json {
    const schema = source as Json;
    if (isObject(schema.shownAs)) return shown(schema, schema.shownAs, emit);
    if (typeof schema.title !== 'string') return expand(schema, emit);
    if (isNullable(schema)) return { anyOf: [emit(withoutNull(schema)), { type: 'null' }] };
    const { title, ...untitled } = schema;
    add(title as string, expand(untitled, emit));
    return refTo(schema.title);
  }

  return {
    emit,
    add,
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The documents show more than the service checks. What is said of it, and whether it may be null, stays. */
function shown(schema: Json, as: Json, emit: (schema: object) => Json): Json {
  const out = emit(isNullable(schema) ? { ...as, type: [as.type, 'null'].flat() } : as);
  return schema.description ? { ...out, description: schema.description } : out;
}

function expand(schema: Json, emit: (schema: object) => Json): Json {
  const field = schema.discriminateBy;
  if (typeof field === 'string') return discriminated(field, schema, emit);
  const out: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    if (privateKeywords.has(key)) continue;
    if (isObject(value) && schemaMaps.has(key)) out[key] = mapValues(value, (inner) => emit(inner as object));
    else if (Array.isArray(value) && schemaLists.has(key)) out[key] = (value as object[]).map(emit);
    else if (isObject(value) && schemaSlots.has(key)) out[key] = emit(value);
    else out[key] = value;
  }
  // `null` must be in the enum too, or no validator would take it.
  if (isNullable(schema) && Array.isArray(schema.enum) && !schema.enum.includes(null))
    out.enum = [...schema.enum, null];
  return out;
}

function discriminated(field: string, schema: Json, emit: (schema: object) => Json): Json {
  const { anyOf, discriminateBy, ...rest } = schema;
  const variants = anyOf as Json[];
  const oneOf = variants.map(emit);
  const mapping: Json = {};
  variants.forEach((variant, i) => {
    const word = (variant.properties as Record<string, Json>)[field]?.const;
    const ref = oneOf[i]?.$ref;
    if (typeof word !== 'string' || !ref) {
      throw new Error(`Every variant of "${schema.title}" needs a title and a constant "${field}".`);
    }
    mapping[word] = ref;
  });
  return { ...rest, oneOf, discriminator: { propertyName: field, mapping } };
}

function isNullable(schema: Json): boolean {
  return Array.isArray(schema.type) && schema.type.includes('null');
}

function withoutNull(schema: Json): Json {
  const types = (schema.type as string[]).filter((type) => type !== 'null');
  return { ...schema, type: types.length === 1 ? types[0] : types };
}

function mapValues(source: Json, change: (value: unknown) => Json): Json {
  return Object.fromEntries(Object.entries(source).map(([key, value]) => [key, change(value)]));
}
