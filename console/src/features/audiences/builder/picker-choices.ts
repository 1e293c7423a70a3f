// What a new condition can be about, in groups: the tenant's own properties and events first, then what every tenant has.
import {
  contactFields,
  eventFields,
  isPropertyKey,
  marketingEventNames,
  namesOf,
  organizationFields,
} from '@rapport/contract';
import { t } from '../../../texts/filter.ts';
import { useBuilder } from './builder-context.ts';
import type { Choice } from './model/begin.ts';
import type { Subject } from './model/conditions.ts';
import type { ValueType } from './model/operators.ts';
import { sayPath } from './model/path.ts';
import { type Property, useEventNames, useEventProperties, useProperties } from './suggestions.ts';

interface PickerChoice extends Choice {
  id: string;
  label: string;
  /** Types and examples, to distinguish them. */
  hint?: string;
}

interface PickerGroup {
  title: string;
  choices: readonly PickerChoice[];
}

/** Without a search only the first few of each; a search finds the others. */
const firstFew = 8;

export function usePickerGroups(search: string, isOpen: boolean): readonly PickerGroup[] {
  const { subject } = useBuilder();
  const people = usePeopleGroups(search, isOpen && subject === 'contact');
  const event = useEventGroups(search, subject === 'event');
  const groups = subject === 'contact' ? people : event;
  return groups.filter(({ choices }) => choices.length > 0);
}

function usePeopleGroups(search: string, isOpen: boolean): PickerGroup[] {
  const { suggested, isWithinMembers } = useBuilder();
  const ofContact = useProperties('contact', search, isOpen).data ?? [];
  const ofUser = useProperties('user', search, isOpen).data ?? [];
  const ofOrganization = useProperties('organization', search, isOpen).data ?? [];
  const events = useEventNames(search, isOpen).data ?? [];
  const has = matching(search);
  const few = <Item>(items: readonly Item[]) => (search.trim() === '' ? items.slice(0, firstFew) : items);
  const isNew = ({ key }: Property) => suggested.includes(key);
  // Answers come a moment after the keys: what does not fit is gone at once, so that Enter never takes something else.
  const contact = propertyChoices('property', ofContact).filter(has);
  const typed = search.trim();
  const organization: PickerChoice[] = [
    ...few(propertyChoices('orgProperty', ofOrganization).filter(has)),
    ...namesOf(organizationFields)
      .map((name) => fixed('organization', t.organizationFields[name], name))
      .filter(has),
    ...(isWithinMembers ? [] : [fixed('orgMembers', t.subjects.orgMembers)].filter(has)),
  ];
  return [
    { title: t.groups.suggested, choices: propertyChoices('property', ofContact.filter(isNew)).filter(has) },
    {
      title: t.groups.contact,
      choices: [
        ...few(contact.filter(({ name }) => !suggested.includes(String(name)))),
        ...namesOf(contactFields)
          .map((name) => fixed('contact', t.contactFields[name], name))
          .filter(has),
      ],
    },
    {
      title: t.groups.events,
      choices: [
        ...few(events.map(({ eventName }) => fixed('event', eventName, eventName)).filter(has)),
        ...[fixed('sequence', t.subjects.sequence)].filter(has),
      ],
    },
    {
      title: t.groups.mail,
      choices: marketingEventNames.map((name) => fixed('marketing', t.marketing[name], name)).filter(has),
    },
    { title: t.groups.lists, choices: listChoices.filter(has) },
    { title: t.groups.user, choices: few(propertyChoices('userProperty', ofUser).filter(has)) },
    { title: t.groups.organization, choices: organization },
    {
      title: t.groups.more,
      choices: [...[fixed('bucket', t.subjects.bucket)].filter(has), ...asTyped(typed, ofContact, events)],
    },
  ];
}

const listChoices = (['dynamicListId', 'staticListId', 'journeyId', 'topic', 'unsubscribed'] as const).map((subject) =>
  fixed(subject, t.subjects[subject]),
);

function useEventGroups(search: string, isOpen: boolean): PickerGroup[] {
  const { eventName } = useBuilder();
  const known = useEventProperties(isOpen ? eventName : undefined);
  const has = matching(search);
  const properties = known.map(
    ({ path, types, examples }): PickerChoice => ({
      id: `eventProperty:${path.join('\0')}`,
      subject: 'eventProperty',
      name: path.length === 1 ? (path[0] ?? '') : path,
      label: sayPath(path),
      hint: hintOf(types, examples),
      types,
    }),
  );
  const typed = search.trim();
  const isKnown = properties.some(({ label }) => label === typed);
  const other = typed === '' || isKnown ? [] : [fixed('eventProperty', t.someProperty(typed), typed)];
  return [
    { title: t.groups.event, choices: [...properties.filter(has), ...other] },
    {
      title: t.groups.eventField,
      choices: namesOf(eventFields)
        .map((name) => fixed('eventField', t.eventFields[name], name))
        .filter(has),
    },
  ];
}

function fixed(subject: Subject, label: string, name?: string): PickerChoice {
  return { id: `${subject}:${name ?? ''}`, subject, label, ...(name === undefined ? {} : { name }) };
}

function propertyChoices(subject: Subject, properties: readonly Property[]): PickerChoice[] {
  return properties.map(({ key, types, examples }) => ({
    ...fixed(subject, key, key),
    types,
    hint: hintOf(types, examples),
  }));
}

function hintOf(types: readonly ValueType[], examples: readonly unknown[]): string {
  const [type] = types;
  return [...(type ? [t.types[type]] : []), examples.slice(0, 3).map(String).join(', ')].filter(Boolean).join(' · ');
}

const matching = (search: string) => {
  const wanted = search.trim().toLowerCase();
  return ({ label }: PickerChoice) => label.toLowerCase().includes(wanted);
};

/** A property or an event that does not exist yet: filters may be written before the data is there. */
function asTyped(
  typed: string,
  properties: readonly Property[],
  events: readonly { eventName: string }[],
): readonly PickerChoice[] {
  if (typed === '') return [];
  const canBeKey = isPropertyKey(typed) && !properties.some(({ key }) => key === typed);
  return [
    ...(canBeKey ? [fixed('property', t.someProperty(typed), typed)] : []),
    ...(events.some(({ eventName }) => eventName === typed) ? [] : [fixed('event', t.someEvent(typed), typed)]),
  ];
}
