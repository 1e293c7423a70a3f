// Reads what a returned mail says about our messages, and finds their tenants.
import { headerTextOf, mostRead, type Report } from '../../../mail/bounces/report.js';
import { isGenuine, parseReturnPath, type ReturnPath, returnPathsIn } from '../../../mail/return-path.js';
import { messageIdIn, type Notice, notice } from '../notices.js';

export interface MailNeeds {
  /** The key of a tenant's return paths; undefined if the tenant does not exist. */
  keyOf(tenantId: number): Promise<Buffer | undefined>;
  /** The reports in a mail; empty if it is not a report. */
  readReports(raw: Buffer): Promise<Report[]>;
  /** Resolves once the notices are stored. */
  takeNotices(tenantId: number, notices: readonly Notice[]): Promise<void>;
}

/** The return path in an address, if we made it. */
export async function genuinePath(address: string, needs: MailNeeds): Promise<ReturnPath | undefined> {
  const path = parseReturnPath(address);
  return path && (await isOurs(path, needs)) ? path : undefined;
}

async function isOurs(path: ReturnPath, { keyOf }: MailNeeds): Promise<boolean> {
  const key = await keyOf(path.tenantId);
  return key !== undefined && isGenuine(key, path);
}

/**
 * If the return path is known, it identifies the message, whichever recipient the reports name: mail to the address may be forwarded,
 * and a report may leave the recipient out.
 */
export function noticesFrom(reports: readonly Report[], path?: ReturnPath): Notice[] {
  if (!path) return reports.map((report) => noticeOf(report, messageIdIn(report.headerId)));
  const bounces = reports.filter((report) => report.what === 'bounced');
  // A message has one fate: with several recipients behind its address, the worst result counts.
  const worst = bounces.find(({ isHard }) => isHard) ?? bounces[0] ?? reports[0];
  return worst ? [noticeOf(worst, path.messageId)] : [];
}

function noticeOf(report: Report, messageId: string | null): Notice {
  const whose = { messageId, email: report.recipient?.toLowerCase() ?? null };
  switch (report.what) {
    case 'bounced': {
      const { isHard, suppresses, reason } = report;
      return notice('bounced', { ...whose, isHard, suppresses, reason });
    }
    case 'complained':
      return notice('complained', { ...whose, reason: report.reason });
    case 'delivered':
      return notice('delivered', whose);
  }
}

export interface DeskNeeds extends MailNeeds {
  /** The tenant of a message. */
  findTenantOf(messageId: string): Promise<number | undefined>;
}

/** The result of handing in a mail. */
export type Taken =
  | { isTaken: true; tenantId: number; notices: readonly Notice[] }
  | { isTaken: false; why: 'noReport' | 'notOurs' };

/**
 * Takes one mail from wherever it was stored: finds the message by the return path that the mail was delivered to, or by the one in the
 * returned message, or else by that message's Message-ID.
 */
export async function takeOneMail(raw: Buffer, needs: DeskNeeds): Promise<Taken> {
  const reports = await needs.readReports(raw);
  if (reports.length === 0) return { isTaken: false, why: 'noReport' };
  for (const path of pathsOf(raw)) {
    if (await isOurs(path, needs)) return store(path.tenantId, noticesFrom(reports, path), needs);
  }
  const notices = noticesFrom(reports).filter(({ messageId }) => messageId !== null);
  const tenantId = notices[0]?.messageId && (await needs.findTenantOf(notices[0].messageId));
  return tenantId ? store(tenantId, notices, needs) : { isTaken: false, why: 'notOurs' };
}

// A mail may contain a thousand ids, and each is looked up.
const mostPaths = 20;

function pathsOf(raw: Buffer): ReturnPath[] {
  const inHeader = returnPathsIn(headerTextOf(raw));
  const anywhere = returnPathsIn(raw.toString('latin1', 0, mostRead));
  return [...inHeader, ...anywhere].slice(0, mostPaths);
}

async function store(tenantId: number, notices: readonly Notice[], needs: MailNeeds): Promise<Taken> {
  await needs.takeNotices(tenantId, notices);
  return { isTaken: true, tenantId, notices };
}

/** A sentence for the person who handed the mail in. */
export function sayTaken(taken: Taken): string {
  if (!taken.isTaken)
    return taken.why === 'noReport'
      ? 'This mail is no report: it says of no message that it bounced, was complained about or arrived. Nothing was changed.'
      : 'This mail reports on a message that is not in this database. Check DATABASE_URL or DATA_DIR. Nothing was changed.';
  const [first] = taken.notices;
  const why = first?.reason ? ` (${first.reason})` : '';
  const what = {
    delivered: 'arrived',
    bounced: bounceWord(first),
    complained: 'was complained about',
    unsubscribed: 'was unsubscribed from',
  };
  return `Taken: message ${first?.messageId} of tenant ${taken.tenantId} ${what[first?.what ?? 'delivered']}${why}.`;
}

function bounceWord(bounce: Notice | undefined): string {
  return bounce?.isHard ? 'bounced for good' : 'bounced for now';
}
