import { randomBytes, randomUUID } from 'node:crypto';

// 48 bits of milliseconds, then random bits: later ids sort later, and 12 bytes are enough to avoid collisions and guessing.
function timeOrdered(bytes: number): Buffer {
  const id = randomBytes(bytes);
  id.writeUIntBE(Date.now(), 0, 6);
  return id;
}

/** List, journey, email and folder ids: 24 hex digits. */
export function newAssetId(): string {
  return timeOrdered(12).toString('hex');
}

/** Request ids for callers that did not send one. */
export function newRequestId(): string {
  return randomUUID();
}

const assetId = /^[0-9a-f]{24}$/;
/** Any other string is simply not found, so callers check before they query. */
export function isAssetId(text: string): boolean {
  return assetId.test(text);
}

// UUID version 7. The 12 bits after the milliseconds count up, so that ids of one process keep their order.
let lastMs = 0;
let counter = 0;
let pool = Buffer.alloc(0);
let used = 0;

function uuidV7(): Buffer {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  if (used + 8 > pool.length) {
    pool = randomBytes(8192);
    used = 0;
  }
  const id = Buffer.allocUnsafe(16);
  id.writeUIntBE(lastMs, 0, 6);
  id.writeUInt16BE(0x7000 | counter, 6);
  pool.copy(id, 8, used, used + 8);
  used += 8;
  id[8] = ((id[8] as number) & 0x3f) | 0x80;
  return id;
}

/** Contact ids: 32 hex digits, later ones sort later. */
export function newContactId(): string {
  return uuidV7().toString('hex');
}

/** Ids of messages in the ledger: 32 hex digits, later ones sort later. */
export function newMessageUuid(): string {
  return uuidV7().toString('hex');
}

/** The uuid part of a transaction id, without dashes. */
export function newTransactionUuid(): string {
  return uuidV7().toString('hex');
}

/** Organization ids that the caller did not choose. */
export function newUuid(): string {
  return randomUUID();
}

/** The Message-ID of a message from this address, with its angle brackets. */
export function newMessageId(sender: string): string {
  return `<${uuidV7().toString('hex')}@${sender.slice(sender.lastIndexOf('@') + 1)}>`;
}

const contactId = /^[0-9a-f]{32}$/;
export function isContactId(text: string): boolean {
  return contactId.test(text);
}

/** The same form: 32 hex digits. */
export function isMessageUuid(text: string): boolean {
  return contactId.test(text);
}

/** 32 hex digits with the dashes of a UUID. */
export function withDashes(uuid: string): string {
  return [uuid.slice(0, 8), uuid.slice(8, 12), uuid.slice(12, 16), uuid.slice(16, 20), uuid.slice(20)].join('-');
}

/** `7-0190…`, the public form: tenant number, then the uuid with its dashes. */
export function formatTransactionId(tenantId: number, uuid: string): string {
  return `${tenantId}-${withDashes(uuid)}`;
}

/** The uuid of a transaction of this tenant; undefined for any other text. */
export function parseTransactionId(tenantId: number, text: string): string | undefined {
  const match = /^(\d{1,15})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text);
  return match && Number(match[1]) === tenantId ? match[2]?.replaceAll('-', '') : undefined;
}
