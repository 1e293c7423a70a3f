// Making, changing and deleting forms.
import { isDeepStrictEqual } from 'node:util';
import {
  type BodyValue,
  type createForm as createRoute,
  formFieldNames,
  isPropertyKey,
  type updateForm as updateRoute,
} from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { ApiError, invalid, invalidFields, notFound } from '../../http/api-error.js';
import { isAssetId, newAssetId } from '../../lib/ids.js';
import { type Actor, auditAtCommit } from '../audit/index.js';
import { holdTopics, selectFormTopics } from '../consent/index.js';
import { isPlatformKey } from '../contacts/index.js';
import { holdList } from '../lists/index.js';
import { findFirstDomain } from '../sending/index.js';
import type { FormContent, FormField, StoredForm } from './queries.js';
import * as queries from './queries.js';

type Input = BodyValue<typeof createRoute>;
type Fault = { field: string; reason: string };

export async function createForm(tx: Transaction, actor: Actor, body: Input): Promise<StoredForm> {
  const { tenantId } = actor;
  const { name, topicIds, consentText, listId = null, state = 'open' } = body;
  const content: FormContent = {
    ...{ name, topicIds, listId, consentText, state, fields: body.fields.map(fieldOf) },
    ...{ success: successOf(body.success), allowedOrigins: readOrigins(body.allowedOrigins ?? []) },
  };
  refuseFaults(content);
  await checkTopics(tx, tenantId, topicIds);
  await checkList(tx, tenantId, listId);
  await checkOpen(tx, tenantId, content);
  const formId = newAssetId();
  const made = await queries.insertForm(tx, tenantId, formId, content);
  auditAtCommit(tx, actor, 'form.created', formId, { name });
  return made;
}

export async function updateForm(
  tx: Transaction,
  actor: Actor,
  formId: string,
  change: BodyValue<typeof updateRoute>,
): Promise<StoredForm> {
  const { tenantId } = actor;
  const given = partsOf(change);
  const stored = isAssetId(formId) ? await queries.lockForm(tx, tenantId, formId) : undefined;
  if (!stored) throw notFound('form');
  const content: FormContent = { ...stored, ...given };
  if (change.topicIds) await checkTopics(tx, tenantId, change.topicIds);
  // A list that was deleted since stays named until another one is chosen.
  if (change.listId !== undefined && change.listId !== stored.listId) await checkList(tx, tenantId, content.listId);
  if (stored.state === 'closed' || change.topicIds) await checkOpen(tx, tenantId, content);
  const changed = (Object.keys(change) as (keyof FormContent)[]).filter(
    (key) => !isDeepStrictEqual(content[key], stored[key]),
  );
  if (changed.length === 0) return stored;
  const row = await queries.updateFormRow(tx, tenantId, formId, content);
  auditAtCommit(tx, actor, 'form.changed', formId, { name: content.name, changed });
  return row;
}

/** What is given of a form, and sound by itself. */
function partsOf(change: BodyValue<typeof updateRoute>): Partial<FormContent> {
  const { fields, success, allowedOrigins, state, ...rest } = change;
  const parts: Partial<FormContent> = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(fields && { fields: fields.map(fieldOf) }),
    ...(success !== undefined && { success: successOf(success) }),
    ...(allowedOrigins !== undefined && { allowedOrigins: readOrigins(allowedOrigins ?? []) }),
    ...(state !== undefined && { state: state ?? 'open' }),
  };
  refuseFaults(parts);
  return parts;
}

/** Says why a form is in use, if it is. Features above declare theirs. */
export type FormUseCheck = (tx: Transaction, tenantId: number, formId: string) => Promise<string | undefined>;

export async function deleteForm(
  tx: Transaction,
  actor: Actor,
  formId: string,
  uses: readonly FormUseCheck[],
  now: Date,
): Promise<void> {
  const stored = isAssetId(formId) ? await queries.lockForm(tx, actor.tenantId, formId) : undefined;
  if (!stored) throw notFound('form');
  for (const findUse of uses) {
    const reason = await findUse(tx, actor.tenantId, formId);
    if (reason) throw new ApiError('INVALID_STATE', { reason });
  }
  await queries.markDeleted(tx, actor.tenantId, formId, now);
  auditAtCommit(tx, actor, 'form.deleted', formId, { name: stored.name });
}

function fieldOf({ property, label, type, required, options }: Input['fields'][number]): FormField {
  return { property, label, type, required: type === 'email' || (required ?? false), ...(options ? { options } : {}) };
}

function successOf(given: Input['success']): FormContent['success'] {
  if (!given) return null;
  const { message, url } = given;
  return { ...(message ? { message } : {}), ...(url ? { url } : {}) };
}

/** All that is wrong with the content by itself. */
function refuseFaults({ fields, success = null }: Partial<FormContent>): void {
  const ofFields = fields?.flatMap((field, i) => faultsOfField(field, i, fields)) ?? [];
  const faults = [...ofFields, ...faultsOfSuccess(success)];
  if (fields && fields.filter(({ type }) => type === 'email').length !== 1)
    faults.push({ field: 'fields', reason: 'must have exactly one field of type email' });
  if (faults.length > 0) throw invalidFields(faults);
}

function faultsOfField({ property, type, options }: FormField, i: number, all: readonly FormField[]): Fault[] {
  const at = (key: string, reason: string) => ({ field: `fields[${i}].${key}`, reason });
  const faults: Fault[] = [];
  if (!isPropertyKey(property) || isPlatformKey(property) || property === formFieldNames.proof)
    faults.push(at('property', 'is reserved'));
  else if (property === 'email' && type !== 'email') faults.push(at('property', 'is for the field of type email'));
  else if (all.findIndex((other) => other.property === property) < i) faults.push(at('property', 'is there twice'));
  if (type === 'select' && !options?.length) faults.push(at('options', 'is required'));
  if (type !== 'select' && options) faults.push(at('options', 'is only for a select'));
  if (options && new Set(options).size < options.length) faults.push(at('options', 'must not have one twice'));
  return faults;
}

function faultsOfSuccess(success: FormContent['success']): Fault[] {
  if (success === null) return [];
  const { message, url } = success;
  if ((message === undefined) === (url === undefined))
    return [{ field: 'success', reason: 'must have either a message or a url' }];
  return url === undefined || isWebAddress(url)
    ? []
    : [{ field: 'success.url', reason: 'must be a http or https address' }];
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && !hostname.includes(anyHost);
}

/** In a page's policy it would stand for every host. */
const anyHost = '*';

/** As browsers name them. */
function readOrigins(given: readonly string[]): string[] {
  const origins = given.map((text, i) => {
    const origin = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).origin : undefined;
    if (origin === undefined || origin !== text.toLowerCase() || origin.includes(anyHost))
      throw invalid(`allowedOrigins[${i}]`, 'must be an origin, such as https://example.com');
    return origin;
  });
  return [...new Set(origins)];
}

/** They stay until the transaction ends, and then the form keeps them. */
async function checkTopics(tx: Transaction, tenantId: number, topicIds: readonly string[]): Promise<void> {
  const there = await holdTopics(tx, tenantId, topicIds.filter(isAssetId));
  const unknown = topicIds.findIndex((topicId) => !there.has(topicId));
  if (unknown >= 0) throw invalid(`topicIds[${unknown}]`, 'is not a topic');
  const twice = topicIds.findIndex((topicId, i) => topicIds.indexOf(topicId) < i);
  if (twice >= 0) throw invalid(`topicIds[${twice}]`, 'is there twice');
}

async function checkList(tx: Transaction, tenantId: number, listId: string | null): Promise<void> {
  if (listId !== null && !(isAssetId(listId) && (await holdList(tx, tenantId, listId))))
    throw invalid('listId', 'is not a static list');
}

/** An open form must be able to ask where its topics want that. */
async function checkOpen(tx: Transaction, tenantId: number, { state, topicIds }: FormContent): Promise<void> {
  if (state === 'closed') return;
  // From here on no topic begins to ask: see `topicAsking`.
  await holdTopics(tx, tenantId, topicIds);
  const topics = [...(await selectFormTopics(tx, tenantId, topicIds)).values()];
  const silent = topics.find(({ doubleOptIn, confirmEmailId }) => doubleOptIn && confirmEmailId === null);
  if (!silent || (await findFirstDomain(tx, tenantId)) !== undefined) return;
  throw new ApiError('INVALID_STATE', {
    reason: `The topic "${silent.name}" asks by mail, and there is no sending domain to ask from. Add one, or give the topic an email.`,
  });
}

/** Why a topic cannot begin to ask by the built-in mail: an open form would have nothing to ask from. */
export async function topicAsking(tx: Transaction, tenantId: number, topicId: string): Promise<string | undefined> {
  const name = await queries.findFormOfTopic(tx, tenantId, topicId, 'open');
  if (name === undefined || (await findFirstDomain(tx, tenantId)) !== undefined) return undefined;
  return `The form "${name}" is open, and there is no sending domain to ask from. Add one, give the topic an email, or close the form.`;
}
