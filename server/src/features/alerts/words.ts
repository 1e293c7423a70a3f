// What an alert says. The only place with its words.
import type { AlertKind, DataValue, listAlerts } from '@rapport/contract';
import type { HealthLimits } from '../messages/index.js';
import type { AlertRow } from './queries.js';

export type ShownAlert = DataValue<typeof listAlerts>;
type Subject = ShownAlert['subject'];

/** In a subject line, for one alert. */
export const titles: Readonly<Record<AlertKind, string>> = {
  bounces: 'a lot of mail is bouncing',
  complaints: 'mail is being reported as spam',
  journeyStopped: 'people have stopped entering a journey',
  listHalved: 'a list has lost more than half of its members',
};

const wholes = new Intl.NumberFormat('en');
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });

type Told = Pick<AlertRow, 'kind' | 'count' | 'comparedWith'>;

/** @param name of the journey or the list; null if it was deleted. */
export function sayAlert({ kind, count, comparedWith }: Told, name: string | null, limits: HealthLimits): string {
  const many = wholes.format(count);
  const before = wholes.format(comparedWith);
  const ofSent = (what: string, limit: number) =>
    `${many} of ${before} messages sent in 24 hours ${what}: ${percents.format(Math.min(1, count / comparedWith))}. At ${percents.format(limit)}, sending is paused, except for transactional email.`;
  if (kind === 'bounces') return ofSent('bounced permanently', limits.bounceRate);
  if (kind === 'complaints') return ofSent('were reported as spam', limits.complaintRate);
  if (kind === 'journeyStopped') {
    const journey = name === null ? 'a journey that has since been deleted' : `the journey ${name}`;
    return `No one entered ${journey} for 24 hours. In the seven days before, ${before} contacts did.`;
  }
  const list = name === null ? 'A list that has since been deleted' : `The list ${name}`;
  return `${list} went from ${before} members to ${many} within two days.`;
}

/** The read of the API that tells more. */
function linkOf({ kind }: Told, { type, id, name }: Subject): string | null {
  if (type === 'mail') return kind === 'bounces' ? '/v2/messages?state=bounced' : '/v2/sending';
  if (name === null) return null;
  if (type === 'journey') return `/v2/journeys/${id}`;
  return `/v2/${type === 'staticList' ? 'lists' : 'dynamic-lists'}/${id}/growth`;
}

/** @param names of the journeys and lists that are not deleted, by id. */
export function showAlert(row: AlertRow, names: ReadonlyMap<string, string>, limits: HealthLimits): ShownAlert {
  const { alertId, kind, openedAt, closedAt, count, comparedWith } = row;
  const name = names.get(row.subject) ?? null;
  const subject = { type: row.subjectType, id: row.subject === '' ? null : row.subject, name };
  return {
    ...{
      alertId,
      kind,
      state: closedAt === null ? 'open' : 'closed',
      openedAt,
      closedAt,
      subject,
      count,
      comparedWith,
    },
    ...{ text: sayAlert(row, name, limits), link: linkOf(row, subject) },
  };
}
