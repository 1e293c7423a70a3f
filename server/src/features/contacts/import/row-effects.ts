// What rows of a file say besides contacts and topics: lists to join, and addresses that must get no mail. Both belong to features above,
// which carry it out in the same transaction, through what app.ts passes in.
import type { SuppressionReason } from '@rapport/contract';
import { isObject } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import { parseJson } from '../../../lib/parse-json.js';
import { type Item, parseEmail, readItem } from '../read-item.js';
import { type ItemOutcome, readResults } from '../results.js';
import { reasonOf } from './column-plan.js';

export interface RowEffects {
  /** Which of the lists exist. They stay until the transaction ends. */
  holdLists(tx: Transaction, tenantId: number, listIds: readonly string[]): Promise<ReadonlySet<string>>;
  join(tx: Transaction, tenantId: number, members: readonly Joining[], now: string): Promise<void>;
  suppress(tx: Transaction, tenantId: number, wanted: readonly Suppressing[]): Promise<void>;
}

interface Joining {
  staticListId: string;
  contactId: string;
  what: 'add';
}

interface Suppressing {
  email: string;
  reason: SuppressionReason;
}

/** A row as it was staged. */
interface Row {
  item: Item;
  lists: readonly string[];
  reason: SuppressionReason | undefined;
}

/** Only a CSV file with a column plan says more: the lines of an NDJSON file are the caller's own, and such keys mean nothing in them. */
export function readRow(text: string, isSheet: boolean): Row {
  const row = parseJson(text);
  const item = readItem(row);
  if (!isSheet || !isObject(row)) return { item, lists: [], reason: undefined };
  const { lists, reason, fault } = row;
  return {
    item: item.ok && typeof fault === 'string' ? { ok: false, email: item.email, error: fault } : item,
    lists: Array.isArray(lists) ? (lists as string[]) : [],
    reason: typeof reason === 'string' ? reasonOf(reason) : undefined,
  };
}

/** Fails rows whose list is gone, and suppresses addresses before any contact is stored: nothing that comes after may send to them. */
export async function beginRows(
  effects: RowEffects,
  tx: Transaction,
  tenantId: number,
  rows: readonly Row[],
): Promise<Item[]> {
  const named = [...new Set(rows.flatMap(({ lists }) => lists))];
  const held = named.length === 0 ? new Set<string>() : await effects.holdLists(tx, tenantId, named);
  const wanted = rows.flatMap(({ item, reason }) => {
    // Also of a row that fails for another reason, if it has an address.
    const email = reason === undefined ? undefined : parseEmail(item.email ?? '');
    return email === undefined || reason === undefined ? [] : [{ email, reason }];
  });
  if (wanted.length > 0) await effects.suppress(tx, tenantId, wanted);
  return rows.map(({ item, lists }): Item => {
    const unknown = lists.find((listId) => !held.has(listId));
    if (unknown === undefined || !item.ok) return item;
    return { ok: false, email: item.email, error: `No static list has the id "${unknown}".` };
  });
}

/** Lets the contacts of applied rows join their lists. */
export async function finishRows(
  effects: RowEffects,
  tx: Transaction,
  tenantId: number,
  rows: readonly Row[],
  { results }: ItemOutcome,
  now: string,
): Promise<void> {
  if (rows.every(({ lists }) => lists.length === 0)) return;
  const members = readResults(results).flatMap(({ status, contactId }, at) =>
    status === 'FAILED' || contactId === undefined
      ? []
      : (rows[at]?.lists ?? []).map((staticListId) => ({ staticListId, contactId, what: 'add' as const })),
  );
  if (members.length > 0) await effects.join(tx, tenantId, members, now);
}
