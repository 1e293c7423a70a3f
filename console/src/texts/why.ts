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
  entry: 'Entry',
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
  note: 'Note',
  nothing: 'No matching journeys, emails or lists',
  nobody: 'No matching contacts',
  pickThing: 'Choose a journey, email or list',
  pickWho: 'Choose a contact',
  searching: 'Searching…',
  thing: 'About',
  thingHint: 'Journey, email or list…',
  title: 'Why?',
  who: 'Contact',
  whoHint: 'Name or email…',
};

/** What can be done about it, and who may. */
export const remedies = {
  activate: 'Activate the journey',
  addDomain: (domain: string) => `Add ${domain} as a sending domain`,
  addToList: 'Add contacts to the list',
  askAdmin: (label: string) => `${label}: an admin of the workspace can do that.`,
  askMember: (label: string) => `${label}: a member or an admin of the workspace can do that.`,
  caps: 'Change the message limit',
  condition: 'Edit this condition',
  enterNote: 'Enter a reason.',
  holdout: 'Change the holdout group',
  lift: 'Let them get email again',
  liftConfirm: 'Unsuppress address',
  lifted: (email: string) => `${email} can get email again.`,
  liftText: 'They will get email from now on. Messages that were skipped stay unsent.',
  liftTitle: (email: string) => `Unsuppress ${email}?`,
  mailServer: 'Set up a mail server',
  note: 'Reason',
  noteText: 'Kept in the audit log permanently, so don’t name the contact.',
  publish: (domain: string) => `Publish the DNS records of ${domain}`,
  resume: 'Resume sending',
  resumed: 'Sending resumed.',
  resumeJourney: 'Resume the journey',
  send: 'Send this email',
  topics: 'Show their topics',
};
