// When an alert opens, and until when it stays open. Pure. Between the two lies a band, so that a figure on the edge does not open and close
// it again and again.
import type { AlertKind, AlertSubjectType } from '@rapport/contract';
import type { LiveEntries } from '../journeys/index.js';
import type { SizeNow } from '../lists/index.js';
import type { FiguresOfTenant, HealthLimits } from '../messages/index.js';

/** Something that is wrong, or not yet well again. */
export interface Trouble {
  tenantId: number;
  kind: AlertKind;
  /** The id of the journey or the list; '' for mail. */
  subject: string;
  subjectType: AlertSubjectType;
  count: number;
  comparedWith: number;
  /** False: it opens no alert, but keeps an open one open. */
  isGrave: boolean;
}

// Messages in 24 hours. Fewer prove little: in 100, five wrong addresses are an old list, not a broken one. The pause needs 1,000.
const leastSent = 200;
// Parts of the limits at which sending pauses, 10 % and 0.3 %: half and a third of them, which are 5 % and the 0.1 % that Google and Yahoo
// ask senders to stay below.
const bouncePart = 1 / 2;
const complaintPart = 1 / 3;
// One complaint may be a slip of the finger. The second comes before the third of 1,000, which pauses.
const leastComplaints = 2;
// It closes below this part of what opened it.
const stillPart = 0.8;

export function judgeMail(figures: FiguresOfTenant, limits: HealthLimits): Trouble[] {
  const { tenantId, sent, hardBounced, complained } = figures;
  const judge = (kind: AlertKind, count: number, rate: number, least: number): Trouble[] => {
    const isGrave = sent >= leastSent && count >= least && count >= sent * rate;
    const isStill = sent >= leastSent / 2 && count >= sent * rate * stillPart && count > 0;
    return isGrave || isStill
      ? [{ tenantId, kind, subject: '', subjectType: 'mail', count, comparedWith: sent, isGrave }]
      : [];
  };
  return [
    ...judge('bounces', hardBounced, limits.bounceRate * bouncePart, 1),
    ...judge('complaints', complained, limits.complaintRate * complaintPart, leastComplaints),
  ];
}

// Contacts a day. If ten enter a day by chance, one day in 20,000 has nobody; if five do, one in 150.
const leastADay = 10;
// Of the seven days before, so that a journey for working days counts; the same day of the week before is one of them, so that its weekends
// and the morning after them do not.
const leastDays = 5;

/** Until somebody enters it is not well. */
export function judgeEntries({ tenantId, journeyId, days }: LiveEntries): Trouble[] {
  if (days === null) return [];
  const regular = days.filter((entered) => entered >= leastADay).length;
  const isGrave = regular >= leastDays && (days.at(-1) ?? 0) >= leastADay;
  const comparedWith = days.reduce((sum, entered) => sum + entered, 0);
  const journey = { subject: journeyId, subjectType: 'journey' } as const;
  return [{ tenantId, kind: 'journeyStopped', ...journey, count: 0, comparedWith, isGrave }];
}

// Members. Smaller lists are often made for a test, and half of them is a handful.
export const leastMembers = 100;
const halved = 1 / 2;
// It closes once it has this part again.
const recovered = 3 / 5;

export function judgeSize(
  { tenantId, listId, before, now }: SizeNow,
  subjectType: 'staticList' | 'dynamicList',
): Trouble[] {
  if (before < leastMembers) return [];
  const trouble = { tenantId, kind: 'listHalved', subject: listId, subjectType, comparedWith: before } as const;
  // A list that is being built says nothing.
  if (now === null) return [{ ...trouble, count: 0, isGrave: false }];
  return now < before * recovered ? [{ ...trouble, count: now, isGrave: now < before * halved }] : [];
}
