// The links in a message that lead here: to record an open or a click, to unsubscribe, to view the mail in a browser.
// A link contains everything it needs, under a MAC with the tenant's key, so nothing is stored for it and it
// cannot be forged. A click leads only where a message led.
//
// A token is base64url of: MAC (16 bytes), tenant (varint), message (16 bytes), and for clicks the link's number (varint)
// and its URL (UTF-8). The MAC also covers the kind, which is in the path.
import { createHmac, timingSafeEqual } from 'node:crypto';

export type TrackKind = 'open' | 'click' | 'unsubscribe' | 'view' | 'preferences' | 'confirm';

/** Where each kind is served, below the base URL. */
export const trackPaths: Record<TrackKind, string> = {
  open: '/t/o/',
  click: '/t/c/',
  unsubscribe: '/t/u/',
  view: '/t/v/',
  preferences: '/t/p/',
  confirm: '/t/y/',
};

/** Common servers take request lines of 8 KB, and base64 makes four bytes of three. */
export const mostUrlBytes = 4000;

// The first signed byte. A new token format would use new numbers. An open token is never valid as a click token, whatever it contains.
const signedFirst: Record<TrackKind, number> = {
  ...{ open: 1, click: 2, unsubscribe: 3, view: 4, preferences: 5, confirm: 6 },
};
const macBytes = 16;
const messageBytes = 16;

export class LinkMaker {
  private readonly baseUrl: string;
  private readonly about: Buffer;
  /** Links that templates use repeatedly while a mail is made. */
  private readonly made = new Map<TrackKind, string>();

  constructor(
    baseUrl: string,
    private readonly key: Buffer,
    tenantId: number,
    messageId: string,
    /** Whether it may ask for confirmation: only transactional messages do. */
    private readonly mayAsk = false,
  ) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.about = Buffer.concat([varint(tenantId), Buffer.from(messageId, 'hex')]);
  }

  open(): string {
    return this.link('open', this.about);
  }

  click(linkNo: number, url: string): string {
    return this.link('click', Buffer.concat([this.about, varint(linkNo), Buffer.from(url)]));
  }

  unsubscribe(): string {
    return this.once('unsubscribe');
  }

  view(): string {
    return this.once('view');
  }

  preferences(): string {
    return this.once('preferences');
  }

  confirm(): string {
    return this.once('confirm');
  }

  /** The links that a template may name. */
  links(): Record<'unsubscribeUrl' | 'preferencesUrl' | 'viewUrl' | 'confirmUrl', string> {
    const confirmUrl = this.mayAsk ? this.confirm() : '';
    return { unsubscribeUrl: this.unsubscribe(), preferencesUrl: this.preferences(), viewUrl: this.view(), confirmUrl };
  }

  private once(kind: TrackKind): string {
    const link = this.made.get(kind) ?? this.link(kind, this.about);
    this.made.set(kind, link);
    return link;
  }

  private link(kind: TrackKind, payload: Buffer): string {
    const mac = macOf(this.key, signedText(kind, payload));
    return this.baseUrl + trackPaths[kind] + Buffer.concat([mac, payload]).toString('base64url');
  }
}

export interface ParsedToken {
  tenantId: number;
  /** 32 hex digits. */
  messageId: string;
  /** For clicks, as is the URL. */
  linkNo?: number;
  url?: string;
  mac: Buffer;
  signed: Buffer;
}

/** The contents of a token, genuine or not; undefined if it does not have the format of this kind. */
export function parseToken(kind: TrackKind, token: string): ParsedToken | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Node ignores characters that are not base64url, so this makes sure that a token has only one spelling.
  if (bytes.toString('base64url') !== token) return undefined;
  const tenant = readVarint(bytes, macBytes);
  if (!tenant) return undefined;
  const messageEnd = tenant.end + messageBytes;
  if (bytes.length < messageEnd) return undefined;
  const link = kind === 'click' ? readLink(bytes, messageEnd) : {};
  if (!link || (kind !== 'click' && bytes.length > messageEnd)) return undefined;
  return {
    tenantId: tenant.value,
    messageId: bytes.toString('hex', tenant.end, messageEnd),
    ...link,
    mac: bytes.subarray(0, macBytes),
    signed: signedText(kind, bytes.subarray(macBytes)),
  };
}

/** Whether the token was made with this key. In constant time, so that timing does not reveal how much of a forged MAC is right. */
export function isGenuine(key: Buffer, { mac, signed }: Pick<ParsedToken, 'mac' | 'signed'>): boolean {
  return timingSafeEqual(macOf(key, signed), mac);
}

function macOf(key: Buffer, signed: Buffer): Buffer {
  return createHmac('sha256', key).update(signed).digest().subarray(0, macBytes);
}

function signedText(kind: TrackKind, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([signedFirst[kind]]), payload]);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readLink(bytes: Buffer, from: number): { linkNo: number; url: string } | undefined {
  const linkNo = readVarint(bytes, from);
  if (!linkNo) return undefined;
  try {
    return { linkNo: linkNo.value, url: utf8.decode(bytes.subarray(linkNo.end)) };
  } catch {
    return undefined;
  }
}

// Seven bits per byte, lowest first; the eighth bit says that more follow.
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function readVarint(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = from, weight = 1; at < bytes.length; at++, weight *= 0x80) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * weight;
    if (value > Number.MAX_SAFE_INTEGER) return undefined;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
