// Each thing that happened to a contact, as a line of the timeline.
import type { DataValue, listContactActivity, listMarketingActivity, listProductActivity } from '@rapport/contract';
import { EditIcon, EventIcon, JourneyIcon, MailIcon, PersonIcon } from '../../../shared/icons.tsx';
import { propertyText } from '../../../shared/property-text.ts';
import type { TimelineItem } from '../../../shared/timeline/timeline.tsx';
import { changeSources, keptTitle, mail, steps, t } from '../../../texts/contact.ts';
import { reasons } from '../../../texts/journey-timeline.ts';
import { kept as keptWords } from '../../../texts/messages.ts';
import { Detail } from '../../journeys/enrolments/enrolment-timeline.tsx';
import { tellDetail, withoutEchoes } from '../../journeys/enrolments/say-entry.ts';
import classes from '../contact.module.css';
import type { Change, Contact, Enrolment, EnrolmentRecord } from '../contact-api.ts';
import type { KeptMessages } from './kept.ts';

type Activity = DataValue<typeof listContactActivity>;
type ProductEvent = DataValue<typeof listProductActivity>;
type MarketingEvent = DataValue<typeof listMarketingActivity>;

const mostValues = 6;
const said = (value: unknown) => propertyText(value, t.notSet);

export function activityItem(activity: Activity, key: string, kept: KeptMessages): TimelineItem {
  return activity.kind === 'product' ? productItem(activity, key) : mailItem(activity, key, kept);
}

export function productItem({ eventName, eventDate, eventProperties }: ProductEvent, key: string): TimelineItem {
  const values = Object.entries(eventProperties).slice(0, mostValues);
  return {
    key,
    at: eventDate,
    title: eventName,
    icon: <EventIcon size={14} />,
    tone: 'info',
    ...(values.length > 0 && {
      detail: (
        <div className={classes.values}>
          {values.map(([name, value]) => (
            <span key={name}>{`${name}: ${said(value)}`}</span>
          ))}
        </div>
      ),
    }),
  };
}

export function mailItem(event: MarketingEvent, key: string, kept: KeptMessages): TimelineItem {
  const { eventName, eventDate, emailSubject, emailId, linkUrl, isMachine } = event;
  const lies = kept.has(event);
  const { title, tone } = lies ? { title: keptTitle, tone: keptWords.tone } : mail[eventName];
  const details = [lies ? keptWords.text : null, linkUrl, isMachine ? t.byMachine : null];
  const detail = details.filter((part) => part !== null).join(' · ');
  return {
    key,
    at: eventDate,
    title: title(emailSubject),
    icon: <MailIcon size={14} />,
    tone: isMachine ? 'quiet' : tone,
    ...(detail && { detail }),
    ...(emailId && { href: `/emails/${emailId}` }),
  };
}

export function changeItem({ field, oldValue, newValue, source, changedAt }: Change, key: string): TimelineItem {
  return {
    key,
    at: changedAt,
    title: t.changed(field),
    detail: `${said(oldValue)} → ${said(newValue)} · ${changeSources[source] ?? source}`,
    icon: <EditIcon size={14} />,
  };
}

export function madeItem({ createdAt }: Contact): TimelineItem {
  return { key: 'made', at: createdAt, title: t.created, icon: <PersonIcon size={14} />, tone: 'good' };
}

/** From the list of journeys: how an enrolment began, and how it ended. */
export function enrolmentItems(enrolment: Enrolment, journey: string): TimelineItem[] {
  const { enrolmentId, journeyId, enteredAt, goalAt, endedAt, state, reason } = enrolment;
  const common = { icon: <JourneyIcon size={14} />, href: `/journeys/${journeyId}/enrolments/${enrolmentId}` };
  const items: TimelineItem[] = [
    { ...common, key: `${enrolmentId} in`, at: enteredAt, title: t.entered(journey), tone: 'info' },
  ];
  if (goalAt) items.push({ ...common, key: `${enrolmentId} goal`, at: goalAt, title: t.goal(journey), tone: 'good' });
  if (endedAt)
    items.push({
      ...common,
      key: `${enrolmentId} out`,
      at: endedAt,
      title: t.entryEnded(journey, state === 'completed'),
      tone: state === 'completed' ? 'good' : 'quiet',
      ...(reason && { detail: reasons[reason] ?? reason }),
    });
  // With the same time, what came later is above, as everywhere.
  return items.toReversed();
}

/** Every step of one enrolment. */
export function stepItems(
  record: EnrolmentRecord,
  journeyId: string,
  journey: string,
  nameOf: (id: string) => string | undefined,
): TimelineItem[] {
  return withoutEchoes(record.timeline)
    .map<TimelineItem>(({ at, what, stepId, stepName = stepId, ...line }, no) => ({
      key: `${record.enrolmentId} ${no}`,
      at,
      title: `${t.stepOf(steps[what] ?? what, stepName)} · ${journey}`,
      icon: <JourneyIcon size={14} />,
      tone: what === 'goal' || what === 'completed' ? 'good' : what === 'exited' ? 'quiet' : 'info',
      href: `/journeys/${journeyId}/enrolments/${record.enrolmentId}`,
      detail: <Detail parts={tellDetail(line, nameOf)} />,
    }))
    .toReversed();
}
