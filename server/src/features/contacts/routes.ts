import * as contract from '@rapport/contract';
import { isObject } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import { type Call, type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { isContactId } from '../../lib/ids.js';
import { normalizeEmail } from '../../lib/text.js';
import { actorOf, recordAudit } from '../audit/index.js';
import { type Acknowledger, type Appliers, readTransaction } from '../transactions/index.js';
import { erasureOf } from './erase-contact.js';
import type { Exporter } from './export/exporter.js';
import { ownSections } from './export/own-sections.js';
import { type ContactSelection, listContacts } from './list-contacts.js';
import * as queries from './queries.js';
import type { Voucher } from './topic-words.js';

/** The contact with this id. In this API a missing one is a 400. */
export async function getContact(db: Database, tenantId: number, id: string): Promise<queries.ContactRow> {
  const contact = isContactId(id) ? await queries.findContact(db, tenantId, id) : undefined;
  if (!contact) throw new ApiError('BAS-E-002');
  return contact;
}

export async function getContactByEmail(db: Database, tenantId: number, email: string): Promise<queries.ContactRow> {
  const contact = await queries.findContactByEmail(db, tenantId, normalizeEmail(email));
  if (!contact) throw new ApiError('BAS-E-002');
  return contact;
}

export async function contactExists(db: Runner, tenantId: number, id: string): Promise<boolean> {
  return isContactId(id) && (await queries.findContact(db, tenantId, id)) !== undefined;
}

/** The payload to store: the body as it came and, if it mentions topics, who makes those statements. */
function payloadOf(call: Pick<Call, 'caller' | 'text'>, namesTopics: boolean): string {
  if (!namesTopics) return call.text();
  return `${call.text().trimEnd().slice(0, -1)},"voucher":${JSON.stringify(voucherOf(call))}}`;
}

function voucherOf({ caller }: Pick<Call, 'caller'>): Voucher {
  return { source: caller.tokenKind === 'session' ? 'person' : 'api', accountId: caller.accountId };
}

function someNameTopics(contacts: readonly unknown[]): boolean {
  return contacts.some((item) => isObject(item) && item.topics !== undefined);
}

// Product-user writes and imports count too; event batches are limited separately.
function isPolledHere(kind: string): boolean {
  return kind.startsWith('contact.') || kind.startsWith('user.');
}

interface RouteNeeds {
  db: Database;
  acknowledger: Acknowledger;
  appliers: Appliers;
  exporters: readonly Exporter[];
  selection: ContactSelection;
}

export function contactEndpoints({ db, acknowledger, appliers, exporters, selection }: RouteNeeds): Endpoint[] {
  return [
    endpoint(contract.createContact, (call) =>
      // The raw body: a value that JavaScript cannot write back, such as 1e999, must not turn into null.
      acknowledger.answer(call, {
        kind: 'contact.create',
        items: 1,
        payload: payloadOf(call, call.body.topics !== undefined),
      }),
    ),
    endpoint(contract.batchContacts, (call) => {
      const namesTopics = someNameTopics(call.body.contacts);
      return acknowledger.answer(call, {
        kind: 'contact.batch',
        items: call.body.contacts.length,
        payload: payloadOf(call, namesTopics),
        body: namesTopics ? { ...call.body, voucher: voucherOf(call) } : call.body,
      });
    }),
    endpoint(contract.updateContact, async (call) => {
      const { id } = await getContact(db, call.caller.tenantId, call.params.id);
      const who = call.body.topics !== undefined ? `,"voucher":${JSON.stringify(voucherOf(call))}` : '';
      const payload = `{"contactId":"${id}","body":${call.text()}${who}}`;
      return acknowledger.answer(call, { kind: 'contact.update', items: 1, payload });
    }),
    endpoint(contract.deleteContact, async (call) => {
      const { id } = await getContact(db, call.caller.tenantId, call.params.id);
      const payload = JSON.stringify(erasureOf(id, actorOf(call)));
      return acknowledger.answer(call, { kind: 'contact.erase', items: 1, payload });
    }),
    endpoint(contract.getContact, async ({ caller, params }) => ({
      data: await getContact(db, caller.tenantId, params.id),
    })),
    endpoint(contract.exportContact, async (call) => {
      const { tenantId } = call.caller;
      const contact = await getContact(db, tenantId, call.params.id);
      // Audited before the first byte is sent, so an export that breaks off is recorded too.
      await recordAudit(db, actorOf(call), 'contact.exported', contact.id);
      const slow = db.slow(tenantId);
      const sections = [...exporters, ...ownSections];
      return { parts: sections.map(({ name, read }) => ({ name, rows: read(slow, tenantId, contact) })) };
    }),
    endpoint(contract.getContactByEmail, async ({ caller, params }) => ({
      data: await getContactByEmail(db, caller.tenantId, params.email),
    })),
    endpoint(contract.listContacts, ({ caller, query }) =>
      listContacts(db, caller.tenantId, query, pageOf(query), selection),
    ),
    endpoint(contract.getContactTransaction, async ({ caller, params }) => ({
      data: await readTransaction(db, caller.tenantId, params.transactionId, (kind) =>
        isPolledHere(kind) ? appliers.presentOf(kind) : undefined,
      ),
    })),
    endpoint(contract.listContactChanges, async ({ caller, params, query }) => {
      const { id } = await getContact(db, caller.tenantId, params.id);
      return queries.selectChanges(db, caller.tenantId, id, pageOf(query));
    }),
  ];
}
