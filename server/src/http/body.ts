import { fieldReasons, isObject, type Route } from '@rapport/contract';
import { type TObject, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseInstant } from '../lib/instant.js';
import { isSoundText } from '../lib/text.js';
import { ApiError, invalid, invalidFields } from './api-error.js';

const mostTold = 20;

/** What is wrong with a body. The first few errors are shown, the others counted: one body can have a million. */
class Faults {
  readonly told: { field: string; reason: string }[] = [];
  count = 0;

  add(field: string, reason: string): void {
    if (++this.count <= mostTold) this.told.push({ field, reason });
  }

  throwIfAny(): void {
    if (this.count > 0) throw invalidFields(this.told, this.count - this.told.length);
  }
}

/** The schema keywords that this reader supports. */
interface Shape {
  type?: string | string[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  trim?: boolean;
  lowerCase?: boolean;
  instant?: boolean;
  /** The feature checks this part item by item. */
  checkedLater?: boolean;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  enum?: string[];
  /** Must be there unless this other field is. */
  requiredWithout?: string;
  /** What its pattern requires, in words. */
  form?: string;
}

type ReadBody = (body: unknown) => unknown;

const noFields = Type.Object({});

/** The reader of what a route is sent; undefined: a body is ignored. A POST that needs none still takes no other JSON than an object. */
export function bodyReaderOf({ body, method, checksItself, consumes }: Route): ReadBody | undefined {
  if (checksItself) return objectReader;
  const schema = body ?? (method === 'POST' && !consumes ? noFields : undefined);
  return schema && bodyReader(schema, method);
}

/** Builds the reader of a route's body: it normalizes, drops unknown keys, validates, and names what is wrong. */
export function bodyReader(schema: TObject, method: string): ReadBody {
  // Built with the first body: building all of them at once would delay the start.
  let validator: ReturnType<typeof Compile<TObject>> | undefined;
  const shape = schema as unknown as Shape;
  const isPatch = method === 'PATCH';
  const nothingRequired = !shape.required?.length;
  return (body) => {
    const given = body === undefined && nothingRequired && !isPatch ? {} : body;
    const faults = new Faults();
    const value = normalize(shape, objectReader(given), '', isPatch, faults);
    validator ??= Compile(schema);
    const lacking = lackingOf(shape, value as object);
    if (faults.count === 0 && (!validator.Check(value) || lacking.length > 0))
      describe(shape, validator.Errors(value), lacking, faults);
    faults.throwIfAny();
    if (isPatch && Object.keys(value as object).length === 0) throw invalid('body', emptyPatch(shape));
    return value;
  };
}

/** For routes that check their body themselves. */
export function objectReader(body: unknown): unknown {
  if (isObject(body)) return body;
  throw new ApiError('VALIDATION_ERROR', { reason: 'The body must be a JSON object.' }, { detail: 'body' });
}

function emptyPatch(shape: Shape): string {
  return `must have at least one of: ${Object.keys(shape.properties ?? {}).join(', ')}`;
}

function normalize(shape: Shape, value: unknown, field: string, isPatch: boolean, faults: Faults): unknown {
  if (shape.checkedLater) return value;
  if (typeof value === 'string') return normalizeText(shape, value, field, faults);
  if (shape.items && Array.isArray(value)) {
    // Measured before an item is read.
    if (value.length > (shape.maxItems ?? Number.POSITIVE_INFINITY)) {
      faults.add(field, `must not have more than ${shape.maxItems} items`);
      return value;
    }
    return value.map((item, i) => normalize(shape.items as Shape, item, `${field}[${i}]`, isPatch, faults));
  }
  if (!shape.properties || !isObject(value)) {
    if (hasUnsoundText(value)) faults.add(field, unsound);
    return value;
  }
  const out: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(shape.properties)) {
    if (!Object.hasOwn(value, key)) continue;
    // On creation null means absent; on PATCH it clears the field, if the schema allows it.
    if (value[key] === null && !isPatch) continue;
    out[key] = normalize(part, value[key], field ? `${field}.${key}` : key, isPatch, faults);
  }
  return out;
}

const unsound = 'must be valid Unicode without NUL';

function normalizeText(shape: Shape, text: string, field: string, faults: Faults): string {
  if (!isSoundText(text)) faults.add(field, unsound);
  if (shape.instant) {
    const instant = parseInstant(text);
    if (instant === undefined) faults.add(field, 'must be an RFC 3339 time, such as 2026-11-15T09:30:00Z');
    return instant ?? text;
  }
  const trimmed = shape.trim ? text.trim() : text;
  return shape.lowerCase ? trimmed.toLowerCase() : trimmed;
}

function hasUnsoundText(value: unknown): boolean {
  if (typeof value === 'string') return !isSoundText(value);
  if (Array.isArray(value)) return value.some(hasUnsoundText);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, item]) => !isSoundText(key) || hasUnsoundText(item));
}

interface SchemaError {
  keyword: string;
  instancePath: string;
  message: string;
  params: unknown;
}

/** Fields that are missing together with what they may be left out for. */
function lackingOf({ properties = {} }: Shape, value: object): string[] {
  return Object.entries(properties).flatMap(([name, { requiredWithout }]) =>
    requiredWithout === undefined || Object.hasOwn(value, name) || Object.hasOwn(value, requiredWithout) ? [] : name,
  );
}

function describe(shape: Shape, errors: SchemaError[], lacking: readonly string[], faults: Faults): void {
  const named = new Set<string>();
  const add = (field: string, reason: string) => {
    if (!named.has(field)) faults.add(field, reason);
    named.add(field);
  };
  for (const error of errors) {
    const path = fieldOf(error.instancePath);
    if (error.keyword === 'required') {
      const { requiredProperties = [] } = error.params as { requiredProperties?: string[] };
      const missing = path ? requiredProperties : inOrder(shape, [...requiredProperties, ...lacking]);
      for (const name of missing) add(path ? `${path}.${name}` : name, fieldReasons.required);
    } else add(path || 'body', reasonFor(shapeAt(shape, error.instancePath), error));
  }
  for (const name of lacking) add(name, fieldReasons.required);
}

function inOrder({ properties = {} }: Shape, names: readonly string[]): string[] {
  return Object.keys(properties).filter((name) => names.includes(name));
}

function fieldOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '');
}

function shapeAt(shape: Shape, pointer: string): Shape {
  return pointer
    .split('/')
    .slice(1)
    .reduce<Shape>((at, part) => at.properties?.[part] ?? at.items ?? {}, shape);
}

function reasonFor(shape: Shape, error: SchemaError): string {
  const type = [shape.type].flat().join(' or ');
  if (error.keyword === 'type') return `must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
  if (error.keyword === 'enum') return `must be one of: ${shape.enum?.join(', ')}`;
  if (error.keyword === 'pattern') return shape.form ?? 'does not have the form that is expected here';
  if (error.keyword === 'minLength' || error.keyword === 'maxLength') {
    return fieldReasons.characters(shape.minLength ?? 0, shape.maxLength ?? 'any number of');
  }
  return error.message;
}
