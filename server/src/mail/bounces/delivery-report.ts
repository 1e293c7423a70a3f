// Delivery reports in the form of RFC 3464, and of RFC 6533 for addresses beyond ASCII.
import { addressOf, type Fields, headerIdOf, readGroups, reasonOf } from './fields.js';
import type { ReadMail, Report } from './read-mail.js';
import { judgeReply, type Verdict } from './replies.js';

// A message of ours has one recipient; more are lists behind it.
const mostRecipients = 100;

/** Undefined for a mail that has no such part. */
export function readDeliveryReport(mail: ReadMail): Report[] | undefined {
  const status = mail.part('message/delivery-status', 'message/global-delivery-status');
  // A read receipt is not a delivery report.
  if (status === undefined) return mail.part('message/disposition-notification') === undefined ? undefined : [];
  const headerId = headerIdOf(mail.original);
  return readGroups(status, mostRecipients + 1).flatMap((group) => reportOf(group, headerId) ?? []);
}

function reportOf(group: Fields, headerId: string | null): Report | undefined {
  const recipient = addressOf(group.get('original-recipient')) ?? addressOf(group.get('final-recipient'));
  switch (actionOf(group)) {
    case 'failed': {
      const said = saidIn(group);
      const verdict = judgeFields(group, said);
      return { what: 'bounced', ...verdict, reason: reasonOf(verdict.status, said), recipient, headerId };
    }
    // Expanded: it arrived, and went on to the members of a list.
    case 'delivered':
    case 'expanded':
      return { what: 'delivered', recipient, headerId };
    default:
      // Delayed: it may still arrive. Relayed: there will be no report of whether it has.
      return undefined;
  }
}

/** Where it is missing, the status tells as much; one that begins with 4 may be about a delay. */
function actionOf(group: Fields): string {
  const action = /^[a-z]+/i.exec(group.get('action') ?? '')?.[0].toLowerCase();
  if (action !== undefined) return action;
  const status = statusIn(group);
  if (status === undefined || !(group.has('final-recipient') || group.has('original-recipient'))) return '';
  return { 5: 'failed', 2: 'delivered' }[status[0] as string] ?? '';
}

/** Exchange puts the reply of the other server into a field of its own. */
function saidIn(group: Fields): string {
  const said = group.get('diagnostic-code') ?? group.get('x-display-name') ?? '';
  return said.slice(0, 4000).replace(/^[\w-]+\s*;\s*/, '');
}

function statusIn(group: Fields): string | undefined {
  return /^\s*([245]\.\d{1,3}\.\d{1,3})(?!\d)/.exec((group.get('status') ?? '').slice(0, 100))?.[1];
}

/** The reporting server's status where it says something, else what the other server said. */
function judgeFields(group: Fields, said: string): Verdict {
  const status = statusIn(group);
  const code = Number(/^(?:<[^>]{0,300}>:?\s*)?([45]\d\d)(?!\d)/.exec(said)?.[1] ?? Number.NaN);
  const kind = status?.[0] === '4' || status?.[0] === '5' ? Number(status[0]) : Math.floor(code / 100) || 5;
  const own = Math.floor(code / 100) === kind ? code : kind * 100 + 50;
  const isVague = status === undefined || /^\d\.0\.0$/.test(status);
  const verdict = judgeReply(own, isVague ? said : `${status} ${said}`);
  // The report does not say 550, so neither do we.
  return Number.isNaN(code) && /^\d+$/.test(verdict.status) ? { ...verdict, status: `${kind}.0.0` } : verdict;
}
