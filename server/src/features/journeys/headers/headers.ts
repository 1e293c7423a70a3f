// Headers of webhook steps, sealed where definitions are stored.
import { hiddenHeader } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { ApiError } from '../../../http/api-error.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { deleteHeaders, openHeaders, sealedHeaderId, sealHeader } from '../../webhooks/index.js';
import { keyOf, revealHeaders, storedHeaders, type WebhookStep, withHeaders } from './hide.js';
import { lockDefinitions, replaceDefinition, selectKeptIn, selectOpen } from './queries.js';

type Json = Record<string, unknown>;

/**
 * As it is stored. A value that was given again keeps its reference, so that the same definition is the same. What looks like a reference
 * is a value too, unless it is one of this journey: values kept for another cannot be named.
 */
export async function sealHeaders(
  tx: Transaction,
  box: SecretBox,
  tenantId: number,
  definition: Json | null,
  stored: Json | null,
): Promise<Json | null> {
  if (!definition) return definition;
  const revealed = revealHeaders(definition, stored);
  const own = referencesIn(stored);
  const known = await openHeaders(tx, box, tenantId, [...own]);
  const before = storedHeaders(stored);
  /** What it stays: hidden, a reference of this journey, or the one that stands for this very value. */
  const keep = (step: WebhookStep, name: string, value: string): string | undefined => {
    if (value === hiddenHeader || own.has(value)) return value;
    const [reference = ''] = before.get(keyOf(step, name))?.values() ?? [];
    return known.get(reference) === value ? reference : undefined;
  };
  const given = new Map<string, string>();
  withHeaders(revealed, (step, name, value) => {
    if (keep(step, name, value) === undefined) given.set(value, '');
    return value;
  });
  for (const value of given.keys()) given.set(value, await sealHeader(tx, box, tenantId, value));
  return withHeaders(revealed, (step, name, value) => keep(step, name, value) ?? given.get(value) ?? value);
}

function referencesIn(definition: Json | null): Set<string> {
  const found = new Set<string>();
  withHeaders(definition ?? {}, (_step, _name, value) => {
    if (sealedHeaderId(value)) found.add(value);
    return value;
  });
  return found;
}

/** After another definition was saved: what neither it nor a version needs any more is gone. */
export async function dropHeaders(
  tx: Transaction,
  tenantId: number,
  journeyNo: number,
  before: Json | null,
  after: Json | null,
): Promise<void> {
  const needed = referencesIn(after);
  const gone = [...referencesIn(before)].filter((each) => !needed.has(each));
  if (gone.length === 0) return;
  const kept = await selectKeptIn(tx, tenantId, journeyNo, gone);
  await deleteHeaders(
    tx,
    tenantId,
    gone.filter((each) => !kept.has(each)).flatMap((each) => sealedHeaderId(each) ?? []),
  );
}

/** Of a journey that is deleted: no version of it is ever run again. */
export async function forgetHeaders(tx: Transaction, tenantId: number, journeyNo: number): Promise<void> {
  const definitions = await lockDefinitions(tx, { tenantId, journeyNo });
  const references = new Set(definitions.flatMap(({ definition }) => [...referencesIn(definition)]));
  if (references.size === 0) return;
  await deleteHeaders(
    tx,
    tenantId,
    [...references].flatMap((each) => sealedHeaderId(each) ?? []),
  );
}

/**
 * A definition that is to be active, as it is checked: with what its headers say, which no rule sees where it is sealed. One that was
 * hidden and never given has no value to send, nor has one that no key opens.
 */
export async function openedForCheck(db: Runner, box: SecretBox, tenantId: number, definition: Json): Promise<Json> {
  const own = referencesIn(definition);
  const known = await openHeaders(db, box, tenantId, [...own]);
  return withHeaders(definition, (step, name, value) => {
    if (value === hiddenHeader || (own.has(value) && !known.has(value)))
      throw new ApiError('INVALID_STATE', {
        reason: `The header ${name} of the step ${String(step.id)} has no value. Give it: what is hidden is kept only for the same step and the same host`,
      });
    return known.get(value) ?? value;
  });
}

/** Seals what an older build stored in plain text, a number of journeys at a time. Returns how many were sealed. */
export async function sealOldHeaders(db: Database, box: SecretBox, atMost: number): Promise<number> {
  const open = await selectOpen(db.background, atMost);
  for (const journey of open)
    await db.transaction(async (tx) => {
      const definitions = await lockDefinitions(tx, journey);
      // One reference a value: a draft that is the same as its version stays so.
      const sealed = new Map<string, string>();
      for (const { definition } of definitions)
        for (const value of openValues(definition))
          if (!sealed.has(value)) sealed.set(value, await sealHeader(tx, box, journey.tenantId, value));
      for (const { version, definition } of definitions) {
        const next = withHeaders(definition, (_step, _name, value) => sealed.get(value) ?? value);
        await replaceDefinition(tx, journey, { version, definition: next });
      }
    });
  return open.length;
}

function openValues(definition: Json): Set<string> {
  const values = new Set<string>();
  withHeaders(definition, (_step, _name, value) => {
    if (value !== hiddenHeader && !sealedHeaderId(value)) values.add(value);
    return value;
  });
  return values;
}
