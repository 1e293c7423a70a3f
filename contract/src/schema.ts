// Small builders on top of TypeBox, so that a feature's schemas read like the specification.
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/** `T | null` as `type: [T, 'null']`: fast-json-stringify writes it five times faster than a union. */
export function Nullable<T extends TSchema>(schema: T, description?: string) {
  const { type, enum: words } = schema as unknown as { type?: string; enum?: string[] };
  if (typeof type !== 'string') throw new Error('Nullable takes a schema with one type');
  return Type.Unsafe<Type.Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(words ? { enum: [...words, null] } : {}),
    ...(description ? { description } : {}),
  });
}

/** Text of a request body. Trimmed before it is checked; blank counts as missing. */
export function Text(max: number, options: { description?: string; min?: number } = {}) {
  const { min = 1, ...rest } = options;
  return Type.String({ minLength: min, maxLength: max, trim: true, ...rest });
}

/** Text that becomes a header of a message. No control characters: a line break would start another header. */
export function HeaderText(max: number, description: string) {
  const pattern = '^[^\\u0000-\\u001f\\u007f]*$';
  const form = 'must not have line breaks or other control characters';
  return Type.String({ minLength: 1, maxLength: max, trim: true, pattern, form, description });
}

/** An email address in a request body: trimmed and lower-cased before it is checked. */
export const EmailText = Type.String({
  minLength: 3,
  maxLength: 254,
  trim: true,
  lowerCase: true,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'Email address; trimmed and lower-cased.',
});

// What has a meaning of its own around an address.
const signs = '\\s@<>()\\[\\]\\\\,;:"';
const label = `[^${signs}_.-](?:[^${signs}_.]*[^${signs}_.-])?`;

/** One that mail can be sent to over the internet: a domain with a dot, and neither brackets nor quotes. */
export const InternetEmailText = Type.String({
  ...EmailText,
  pattern: `^[^${signs}]+@(?:${label}\\.)+(?!\\d+$)[^${signs}_.-][^${signs}_.]*[^${signs}_.-]$`,
  description: 'Email address with a whole domain, such as `grace@example.com`; trimmed and lower-cased.',
});

/** A point in time in a request body. */
export const InstantText = Type.String({
  instant: true,
  format: 'date-time',
  description: 'RFC 3339 with any offset; no offset means UTC, a date alone its midnight.',
});

/** A point in time in an answer: `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
export const Instant = Type.String({ format: 'date-time' });

/** Ids in answers. In a request any other text is simply an id that does not exist, so there they are plain strings. */
export function ContactId(description = 'Contact id, 32 hex digits.') {
  return Type.String({ pattern: '^[0-9a-f]{32}$', description });
}
export function AssetId(description = '24 hex digits.') {
  return Type.String({ pattern: '^[0-9a-f]{24}$', description });
}
export const AccountId = Type.Integer({ description: 'Account id.' });
/** Never `int64`: generators for JavaScript turn that into a BigInt, which a JSON number is not. */
export function Count(description?: string) {
  return Type.Integer({ minimum: 0, ...(description ? { description } : {}) });
}

/** A free-form JSON object. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

const scalars = ['string', 'number', 'boolean'];
const PropertyValue = {
  title: 'PropertyValue',
  type: [...scalars, 'array'],
  items: { type: [...scalars, 'null'] },
  description: 'A scalar or an array of scalars.',
};
const NullablePropertyValue = { ...PropertyValue, type: [...PropertyValue.type, 'null'] };

/** A property before or after a change. */
export function ChangedValue(description: string) {
  return Type.Unknown({ shownAs: NullablePropertyValue, description });
}

/** Properties in an answer. */
export const StoredProperties = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  shownAs: { type: 'object', additionalProperties: PropertyValue },
});

/** Properties in a request body. What is no property is ignored, not refused: only the documents name the values. */
export function Properties(owner: string) {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    shownAs: { type: 'object', additionalProperties: NullablePropertyValue },
    description: `snake_case keys with scalars or arrays of scalars. Merged: a later value wins, missing keys stay, null removes. At most 500 keys and 32 KiB ${owner}.`,
  });
}

/** Names a schema, so that OpenAPI shows it once, under `components.schemas`. */
export function Named<P extends TProperties>(name: string, properties: P, description?: string): TObject<P> {
  return Type.Object(properties, { title: name, ...(description ? { description } : {}) });
}

/** Who did or has something, by number and name. */
export const AccountName = Named('AccountName', { accountId: Type.Integer(), name: Type.String() });

export const Success = Named('Success', { success: Type.Boolean() });

/**
 * An item of a batch. The reader of the body lets anything pass, because the feature checks items one by one: a bad one
 * must not stop the others. The documents show the schema.
 */
export function CheckedLater(schema: TSchema) {
  return Type.Unknown({ checkedLater: true, shownAs: schema });
}

/** Rows of several shapes in one collection, told apart by a constant field. */
export function Discriminated<T extends TSchema[]>(field: string, name: string, variants: [...T]) {
  return Type.Union(variants, { discriminateBy: field, title: name });
}

/** A string from a fixed set of words. */
export function Words<const T extends readonly string[]>(words: T, description?: string) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...(description ? { description } : {}) });
}
