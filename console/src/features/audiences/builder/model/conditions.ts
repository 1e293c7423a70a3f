// The conditions of the filter language: which there are, how a new one begins, and whether one is finished.
import {
  contactFields,
  eventFields,
  eventMeasures,
  eventSubjects,
  filterSubjects,
  isDuration,
  isObject,
  type MeasureName,
  namesOf,
  type Operator,
  organizationFields,
  propertyOperators,
  topicOperators,
  valueOperators,
} from '@rapport/contract';
import { type FilterJson, groupOf } from './filter-json.ts';
import { isGiven, operatorIn } from './operators.ts';

export const subjects = [...filterSubjects, ...eventSubjects];
export type Subject = (typeof subjects)[number];

/** `journeyId` narrows marketing conditions too: there it is no subject. */
export function subjectOf(json: FilterJson): Subject | undefined {
  if (Object.hasOwn(json, 'marketing')) return 'marketing';
  return subjects.find((subject) => Object.hasOwn(json, subject));
}

export const measureOf = (json: FilterJson): MeasureName =>
  namesOf(eventMeasures).find((each) => each === json.measure) ?? 'count';
export const isCounted = (measure: MeasureName): boolean => eventMeasures[measure].takes === 'counts';
export const hasOf = (measure: MeasureName): boolean => eventMeasures[measure].hasOf;

/** Which operators a condition takes. Empty for those that have none. */
export function operatorsOf(json: FilterJson): readonly Operator[] {
  switch (subjectOf(json)) {
    case 'property':
      return propertyOperators;
    case 'userProperty':
    case 'orgProperty':
    case 'eventProperty':
      return valueOperators;
    case 'contact':
      return fieldIn(contactFields, json.contact);
    case 'organization':
      return fieldIn(organizationFields, json.organization);
    case 'eventField':
      return fieldIn(eventFields, json.eventField);
    case 'event': {
      const { takes } = eventMeasures[measureOf(json)];
      return takes === 'counts' ? [] : takes;
    }
    default:
      return [];
  }
}

/** What the field takes; the first one where none is chosen yet. */
function fieldIn(fields: Readonly<Record<string, readonly Operator[]>>, field: unknown): readonly Operator[] {
  return (typeof field === 'string' && fields[field]) || Object.values(fields)[0] || [];
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** A key, or the keys that lead into nested objects. */
function isPath(value: unknown): boolean {
  return isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText));
}

const optionalDuration = (value: unknown): boolean => value === undefined || isDuration(value);

/** Whether there is nothing left to fill in. A finished condition may still be refused: only the service knows everything. */
export function isComplete(json: FilterJson): boolean {
  const subject = subjectOf(json);
  switch (subject) {
    case 'property':
    case 'userProperty':
    case 'orgProperty':
    case 'contact':
    case 'organization':
    case 'eventField':
      return isText(json[subject]) && hasOperator(json);
    case 'eventProperty':
      return isPath(json.eventProperty) && hasOperator(json);
    case 'orgMembers':
      return isObject(json.orgMembers) && isObject(json.orgMembers.where) && isSaid(json.orgMembers.where);
    case 'event':
      return isText(json.event) && isMeasured(json) && hasSpan(json);
    case 'sequence':
      return isSequence(json);
    case 'marketing':
      return (
        [json.emailId, json.journeyId, json.linkUrl].every((id) => id === undefined || isText(id)) && hasSpan(json)
      );
    case 'unsubscribed':
      return true;
    case 'staticListId':
    case 'dynamicListId':
      return isText(json[subject]);
    case 'journeyId':
      return isText(json.journeyId) && isText(json.state) && optionalDuration(json.withinLast);
    case 'topic':
      return isText(json.topic) && topicOperators.some((operator) => isText(json[operator]));
    case 'bucket':
      return isBucket(json.bucket);
    default:
      // Neither a group nor a known subject: kept as it is, unless it is empty.
      return groupOf(json) === undefined && Object.keys(json).length > 0;
  }
}

function hasOperator(json: FilterJson): boolean {
  const operator = operatorIn(json, operatorsOf(json));
  return operator !== undefined && isGiven(operator, json[operator]);
}

function isSaid(where: FilterJson): boolean {
  return groupOf(where) !== undefined || isComplete(where);
}

function isMeasured(json: FilterJson): boolean {
  const measure = measureOf(json);
  if (hasOf(measure) && !isPath(json.of)) return false;
  return isCounted(measure) || hasOperator(json);
}

function hasSpan({ withinLast, from, to }: FilterJson): boolean {
  const isTime = (value: unknown) => value === undefined || isGiven('before', value);
  return optionalDuration(withinLast) && isTime(from) && isTime(to);
}

function isSequence({ sequence, withinLast }: FilterJson): boolean {
  if (!Array.isArray(sequence) || sequence.length < 2 || !optionalDuration(withinLast)) return false;
  return sequence.every(
    (step: unknown) =>
      isObject(step) &&
      isText(step.event) &&
      (step.not === true ? isDuration(step.within) : optionalDuration(step.within)),
  );
}

function isBucket(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { seed, of, from, to } = value;
  const isWhole = (number: unknown): number is number => Number.isInteger(number);
  return typeof seed === 'string' && isWhole(of) && isWhole(from) && isWhole(to) && 0 <= from && from <= to && to < of;
}
