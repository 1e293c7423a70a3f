// Complaints: a recipient marked a message as spam, and the receiving server reports it (ARF, RFC 5965).
import { addressOf, type Fields, headerIdOf, readHeader } from './fields.js';
import type { ReadMail, Report } from './read-mail.js';

/** `not-spam` takes something back, `auth-failure` (RFC 6591) and `virus` are about the mail: neither is a complaint. */
const complaints = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list', 'other']);

/** Undefined for a mail that is no feedback. */
export function readComplaint(mail: ReadMail): Report[] | undefined {
  const part = mail.part('message/feedback-report');
  if (part !== undefined) return fromFeedback(readHeader(part.trimStart()), mail);
  return isBareComplaint(mail) ? [complained('abuse', mail, undefined)] : undefined;
}

function fromFeedback(fields: Fields, mail: ReadMail): Report[] {
  const type = (fields.get('feedback-type') ?? 'abuse').trim().toLowerCase().slice(0, 50);
  return complaints.has(type) ? [complained(type, mail, fields)] : [];
}

function complained(type: string, { original }: ReadMail, fields: Fields | undefined): Report {
  const named = [
    fields?.get('original-rcpt-to'),
    fields?.get('removal-recipient'),
    // Microsoft's, in the message that it returns.
    original?.get('x-hmxmroriginalrecipient'),
    original?.get('to'),
  ];
  const recipient = named.map(addressOf).find((address) => address !== null) ?? null;
  return { what: 'complained', reason: type, recipient, headerId: headerIdOf(original) };
}

/** Microsoft (JMRP) and, earlier, Yahoo: the message comes back as it was, with nothing for machines beside it. */
function isBareComplaint({ header, original }: ReadMail): boolean {
  if (!original) return false;
  if (original.has('x-hmxmroriginalrecipient')) return true;
  const from = (addressOf(header.get('from')) ?? '').toLowerCase();
  if (from === 'staff@hotmail.com') return /^complaint about message from/i.test(header.get('subject') ?? '');
  return /^feedback@(?:arf\.mail\.yahoo\.com|yahoo-inc\.com)$/.test(from);
}
