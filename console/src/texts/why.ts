// "Why did this person (not) get this?"
import type { WhyThing } from '@rapport/contract';

export const things: Record<WhyThing, string> = {
  journey: 'Journey',
  email: 'Email',
  message: 'Message',
  dynamicList: 'Dynamic list',
  staticList: 'Static list',
};

/** What a piece of evidence is about. */
export const kinds: Record<string, string> = {
  message: 'Message',
  suppression: 'Suppression',
  mail: 'Sending',
  journey: 'Journey',
  entry: 'Trigger',
  reentry: 'Re-entry',
  enrolment: 'Enrollment',
  step: 'Step',
  filter: 'Condition',
  list: 'List',
  email: 'Email',
  topic: 'Topic',
};

export const t = {
  against: 'Against',
  ask: 'Pick a contact and a journey, email or list. You get the reason in one sentence, with the evidence.',
  askTitle: 'Why did this person (not) get this?',
  clear: 'Clear',
  copy: 'Copy link',
  erased: 'The recipient was erased, so the reason is no longer known.',
  evidence: 'Evidence',
  evidenceText: 'Most important first.',
  finding: 'Finding the reason',
  for: 'In favor',
  group: { journeys: 'Journeys', emails: 'Emails', lists: 'Lists' },
  holds: 'Yes',
  holdsNot: 'No',
  look: 'View',
  noEvidence: 'No further evidence.',
  nothing: 'No matching journeys, emails or lists',
  nobody: 'No matching contacts',
  pickThing: 'Choose a journey, email or list',
  pickWho: 'Choose a contact',
  searching: 'Searching …',
  thing: 'About',
  thingHint: 'Journey, email or list …',
  title: 'Why?',
  who: 'Contact',
  whoHint: 'Name or email …',
};
