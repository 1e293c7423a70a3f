import { EventFields } from './fields/event-fields.tsx';
import { MarketingFields } from './fields/marketing-fields.tsx';
import {
  BucketFields,
  JourneyFields,
  ListFields,
  MembersFields,
  RawFields,
  TopicFields,
  UnsubscribedFields,
} from './fields/other-fields.tsx';
import { SequenceFields } from './fields/sequence-fields.tsx';
import { EventValueFields, type FieldsProps, PlainFields, PropertyFields } from './fields/value-fields.tsx';
import { subjectOf } from './model/conditions.ts';

/** The fields after the subject: each subject has its own. */
export function ConditionFields(props: FieldsProps) {
  const { json } = props;
  const subject = subjectOf(json);
  const name = subject && typeof json[subject] === 'string' ? json[subject] : '';
  switch (subject) {
    case 'property':
      return <PropertyFields {...props} of="contact" name={name} />;
    case 'userProperty':
      return <PropertyFields {...props} of="user" name={name} />;
    case 'orgProperty':
      return <PropertyFields {...props} of="organization" name={name} />;
    case 'contact':
    case 'organization':
    case 'eventField':
      return <PlainFields {...props} />;
    case 'eventProperty':
      return <EventValueFields {...props} path={json.eventProperty} />;
    case 'event':
      return <EventFields {...props} />;
    case 'sequence':
      return <SequenceFields {...props} />;
    case 'marketing':
      return <MarketingFields {...props} />;
    case 'staticListId':
    case 'dynamicListId':
      return <ListFields {...props} kind={subject} />;
    case 'unsubscribed':
      return <UnsubscribedFields {...props} />;
    case 'topic':
      return <TopicFields {...props} />;
    case 'journeyId':
      return <JourneyFields {...props} />;
    case 'orgMembers':
      return <MembersFields {...props} />;
    case 'bucket':
      return <BucketFields {...props} />;
    case undefined:
      return Object.keys(json).length === 0 ? null : <RawFields json={json} />;
  }
}
