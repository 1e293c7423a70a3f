// What a condition is about, in two words: whose, and what.
import { contactFields, eventFields, marketingEventNames, namesOf, organizationFields } from '@rapport/contract';
import { t } from '../../../texts/filter.ts';
import { subjectOf } from './model/conditions.ts';
import type { FilterJson } from './model/filter-json.ts';
import { sayPath } from './model/path.ts';

interface ConditionLabel {
  kind: string;
  name: string;
}

const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

export function labelOf(json: FilterJson): ConditionLabel | undefined {
  const subject = subjectOf(json);
  if (!subject) return Object.keys(json).length === 0 ? undefined : { kind: t.kinds.raw, name: '' };
  return { kind: t.kinds[subject], name: nameOf(subject, json) };
}

function nameOf(subject: NonNullable<ReturnType<typeof subjectOf>>, json: FilterJson): string {
  const given = json[subject];
  const asIs = typeof given === 'string' ? given : '';
  switch (subject) {
    case 'contact': {
      const field = oneOf(namesOf(contactFields), given);
      return field ? t.contactFields[field] : asIs;
    }
    case 'organization': {
      const field = oneOf(namesOf(organizationFields), given);
      return field ? t.organizationFields[field] : asIs;
    }
    case 'eventField': {
      const field = oneOf(namesOf(eventFields), given);
      return field ? t.eventFields[field] : asIs;
    }
    case 'marketing': {
      const kind = oneOf(marketingEventNames, given);
      return kind ? t.marketing[kind] : asIs;
    }
    case 'eventProperty':
      return sayPath(given);
    case 'orgMembers':
      return t.members;
    case 'sequence':
    case 'staticListId':
    case 'dynamicListId':
    case 'journeyId':
    case 'unsubscribed':
    case 'topic':
    case 'bucket':
      return '';
    default:
      return asIs;
  }
}
