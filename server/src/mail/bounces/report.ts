// What came of a message, from the mail that says so: delivery reports (RFC 3464), those of servers with words of their own,
// and complaints (RFC 5965). Anything else, as the many answers of people who are on holiday, says nothing.
import { readComplaint } from './complaint.js';
import { readDeliveryReport } from './delivery-report.js';
import { readPlainBounce } from './plain-bounce.js';
import { most, type Report, readMail } from './read-mail.js';

/** Bytes of a mail that are looked at; no more need be kept. */
export const mostRead = most.bytes;

export { headerTextOf, type Report } from './read-mail.js';

/** Empty for a mail that is no report, and for any junk. */
export async function readReports(raw: Buffer | Uint8Array): Promise<Report[]> {
  const mail = await readMail(raw);
  if (!mail) return [];
  return readComplaint(mail) ?? readDeliveryReport(mail) ?? readPlainBounce(mail) ?? [];
}
