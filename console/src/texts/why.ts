// "Why did this person (not) get this?"
import type { WhyThing } from '@rapport/contract';

export const things: Record<WhyThing, string> = {
  journey: 'Journey',
  email: 'Email',
  message: 'Message',
  dynamicList: 'Dynamic list',
  staticList: 'Static list',
};

/** What a piece of evidence speaks of. */
export const kinds: Record<string, string> = {
  message: 'Message',
  suppression: 'Suppression',
  mail: 'Sending',
  journey: 'Journey',
  entry: 'What starts it',
  reentry: 'Entering again',
  enrolment: 'On the way',
  step: 'Step',
  filter: 'Condition',
  list: 'List',
  email: 'Email',
};

export const t = {
  against: 'Speaks against it',
  ask: 'Pick a person, and a journey, an email or a list: the answer is one sentence, with everything that it rests on.',
  askTitle: 'Why did this person (not) get this?',
  clear: 'Clear',
  copy: 'Copy link',
  erased: 'The person whom this message went to was erased: nothing is kept that could tell.',
  evidence: 'Evidence',
  evidenceText: 'What weighs most comes first.',
  finding: 'Looking for the reason',
  for: 'Speaks for it',
  group: { journeys: 'Journeys', emails: 'Emails', lists: 'Lists' },
  holds: 'Yes',
  holdsNot: 'No',
  look: 'Look at it',
  noEvidence: 'Nothing more is known.',
  nothing: 'No journey, email or list has this in its name',
  nobody: 'No contact has this in the name or email',
  pickThing: 'What do you ask about?',
  pickWho: 'Who do you ask about?',
  searching: 'Searching…',
  thing: 'About',
  thingHint: 'A journey, an email or a list …',
  title: 'Why?',
  who: 'Person',
  whoHint: 'A name or an address …',
};
