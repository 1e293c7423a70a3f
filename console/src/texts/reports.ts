// Reports, and the definition of every number as in docs/statistics.md.
export interface FigureText {
  readonly label: string;
  readonly definition: string;
}

/** What is counted, and when. Tests are never counted. */
export const figures = {
  sent: {
    label: 'Sent',
    definition: 'Messages that a mail server accepted, or rejected permanently, by that time. Test sends never count.',
  },
  delivered: {
    label: 'Delivered',
    definition:
      'Messages that the provider reported as delivered or, without a report, that were accepted and have not bounced. A later bounce removes the message, also from past days. Rate: delivered / sent.',
  },
  opened: {
    label: 'Opened',
    definition:
      'Messages opened by a person, each counted once, by the time of the first open. Automated opens don’t count. Rate: opened / delivered.',
  },
  opens: { label: 'Opens', definition: 'All opens by people. A message can be opened more than once.' },
  clicked: {
    label: 'Clicked',
    definition:
      'Messages clicked by a person, each counted once, by the time of the first click. Rate: clicked / delivered.',
  },
  clicks: { label: 'Clicks', definition: 'All clicks by people. A message can be clicked more than once.' },
  engaged: {
    label: 'Engaged',
    definition:
      'Messages opened or clicked by a person, each counted once, by the time of the first. People who block images and click count too.',
  },
  clickToOpen: {
    label: 'Click-to-open',
    definition:
      'Messages clicked / messages opened. Only here, a clicked message without a recorded open counts as opened.',
  },
  bounced: {
    label: 'Bounced',
    definition:
      'Messages returned or rejected, permanently (hard) or temporarily (soft). Each counts once. Rate: bounced / sent.',
  },
  unsubscribed: {
    label: 'Unsubscribed',
    definition:
      'Messages that someone unsubscribed from, by the first time, even if they resubscribed later. Rate: unsubscribed / delivered.',
  },
  complained: {
    label: 'Complaints',
    definition: 'Messages reported as spam, by that time. Rate: complaints / delivered.',
  },
  failed: {
    label: 'Failed',
    definition: 'Messages never sent: all attempts failed, or they could not be rendered.',
  },
  machineOpened: {
    label: 'Machine opens',
    definition: 'Automated opens, such as email apps that preload images. They count in no other number or rate.',
  },
  machineClicked: {
    label: 'Machine clicks',
    definition: 'Automated clicks, such as scanners that follow every link. They count in no other number or rate.',
  },
  entered: { label: 'Entered', definition: 'How many times people entered the journey in this period.' },
  inProgress: { label: 'In progress', definition: 'Contacts in the journey now, whatever the period.' },
  completed: { label: 'Completed', definition: 'How many times people reached the end of the journey in this period.' },
  exited: {
    label: 'Exited early',
    definition:
      'How many times people left before the end in this period: by an exit step or condition, or because the journey was stopped or the contact erased.',
  },
  reachedGoal: {
    label: 'Reached the goal',
    definition: 'How many times people in the journey reached its goal in this period.',
  },
} as const satisfies Record<string, FigureText>;

export const t = {
  title: 'Reports',
  lead: 'How your email and journeys perform.',
  parts: 'Reports',
  tabs: { overview: 'Overview', journeys: 'Journeys', emails: 'Emails', links: 'Links', domains: 'Domains' },

  // The period
  period: 'Period',
  periods: { '7': 'Last 7 days', '30': 'Last 30 days', '90': 'Last 90 days', '365': 'Last 12 months' },
  all: 'All time',
  custom: 'Custom …',
  from: 'From',
  to: 'Until',
  wrongWay: 'The end is before the start.',
  noPeriods: {
    noDays: { title: 'Choose the days', text: 'Enter the first day. Leave the last day empty for today.' },
    backwards: { title: 'The period ends before it starts', text: 'Choose a later end or an earlier start.' },
    ahead: { title: 'Nothing has happened yet', text: 'The period is in the future. Choose an earlier start.' },
  },

  // People and machines
  who: 'Opens and clicks by',
  people: 'People',
  machines: 'Machines',
  whoText:
    'Email apps that preload images and scanners that follow every link would distort your rates. Automated opens and clicks are counted separately.',
  machineNote: 'automated; not in rates',

  // Overview
  sentOverTime: 'Messages over time',
  unit: (hard: string, soft: string) => `${hard} hard, ${soft} soft`,
  comparedWith: (from: string, to: string) => `Compared with ${from} – ${to}`,
  nothing: 'No activity in this period',
  nothingText: 'Nothing was sent, opened or clicked. Choose a longer period.',

  // Tables
  journey: 'Journey',
  email: 'Email',
  allEmails: 'All emails',
  link: 'Link',
  domain: 'Domain',
  status: 'Status',
  totals: 'Totals',
  noJourneys: 'No journeys yet',
  noJourneysText: 'Create a journey to see its figures here.',
  tooManyJourneys: 'Too many journeys to total. Choose a status.',
  anyStatus: 'Any status',
  statuses: { active: 'Active', draft: 'Draft', inactive: 'Stopped' },
  noLinks: 'No clicks in this period',
  noLinksText: 'Links appear once someone clicks them.',
  noDomains: 'No email in this period',
  noDomainsText: 'Recipient domains appear once email is sent.',
  noEmails: 'No email in this period',
  noEmailsText: 'Emails appear once they are sent.',
  deleted: '(deleted)',
  uniqueOfLink: 'Messages in which a person clicked this link, by the time of the first click.',
  definitions: 'What these numbers mean',

  // Files
  csv: 'Download CSV',
};
