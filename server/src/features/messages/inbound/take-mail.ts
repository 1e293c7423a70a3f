// What a mail that came back says of messages of ours, and whose they are.
import { headerTextOf, mostRead, type Report } from '../../../mail/bounces/report.js';
import { isGenuine, parseReturnPath, type ReturnPath, returnPathsIn } from '../../../mail/return-path.js';
import { messageIdIn, type Notice, notice } from '../notices.js';

export interface MailNeeds {
  /** What a tenant's return paths are signed with; undefined for no tenant. */
  keyOf(tenantId: number): Promise<Buffer | undefined>;
  /** What a mail reports; nothing where it is no report. */
  readReports(raw: Buffer): Promise<Report[]>;
  /** Has stored them when it is done. */
  takeNotices(tenantId: number, notices: readonly Notice[]): Promise<void>;
}

/** The return path that an address is, if we made it. */
export async function genuinePath(address: string, needs: MailNeeds): Promise<ReturnPath | undefined> {
  const path = parseReturnPath(address);
  return path && (await isOurs(path, needs)) ? path : undefined;
}

async function isOurs(path: ReturnPath, { keyOf }: MailNeeds): Promise<boolean> {
  const key = await keyOf(path.tenantId);
  return key !== undefined && isGenuine(key, path);
}

/**
 * The return path, where it is known, tells the message, no matter whom the reports name: its address may lead to others, or be
 * left out.
 */
export function noticesFrom(reports: readonly Report[], path?: ReturnPath): Notice[] {
  if (!path) return reports.map((report) => noticeOf(report, messageIdIn(report.headerId)));
  const bounces = reports.filter((report) => report.what === 'bounced');
  // A message has one fate: of several addresses behind it, the worst one tells.
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
  /** Whose message this is. */
  findTenantOf(messageId: string): Promise<number | undefined>;
}

/** What became of a mail that somebody handed in. */
export type Taken =
  | { isTaken: true; tenantId: number; notices: readonly Notice[] }
  | { isTaken: false; why: 'noReport' | 'notOurs' };

/**
 * Takes one mail from wherever it was kept: by the return path that it was delivered to, or that stands in the message
 * which it returns; else by that message's Message-ID.
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

// Anyone can write a thousand into a mail, and each is looked up.
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

/** For the person who handed it in. */
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
