// Reports, and the definition of every number as docs/statistics.md has them.
export interface FigureText {
  readonly label: string;
  readonly definition: string;
}

/** What is counted, and at which moment. Tests are never counted. */
export const figures = {
  sent: {
    label: 'Sent',
    definition:
      'Messages that a mail server took, or refused for good, by the time of that. Test sends are never counted.',
  },
  delivered: {
    label: 'Delivered',
    definition:
      'Messages that arrived: as the provider reported, or else taken by the mail server and not come back since. A bounce that comes later takes it away again, also in the figures of the day before. The rate is delivered / sent.',
  },
  opened: {
    label: 'Opened',
    definition:
      'Messages that a person opened, each once, by the time of the first open. Opens by programs are in no rate. The rate is opened / delivered.',
  },
  opens: { label: 'Opens', definition: 'Opens by people. One message may be opened often.' },
  clicked: {
    label: 'Clicked',
    definition:
      'Messages in which a person clicked, each once, by the time of the first click. The rate is clicked / delivered.',
  },
  clicks: { label: 'Clicks', definition: 'Clicks by people. One message may be clicked often.' },
  engaged: {
    label: 'Engaged',
    definition:
      'Messages by the time of their first open or click by a person, each once: somebody who blocks pictures and clicks is engaged, too.',
  },
  clickToOpen: {
    label: 'Click-to-open',
    definition:
      'Messages clicked / messages opened. Here, and only here, messages that were clicked without a recorded open count as opened.',
  },
  bounced: {
    label: 'Bounced',
    definition:
      'Messages that came back, or were refused: for good (hard) or for now (soft). A message is one of them at most. The rate is bounced / sent.',
  },
  unsubscribed: {
    label: 'Unsubscribed',
    definition:
      'Messages by which somebody unsubscribed, by the first time of that. Coming back does not take it away. The rate is unsubscribed / delivered.',
  },
  complained: {
    label: 'Complaints',
    definition: 'Messages that somebody reported as spam, by the time of that. The rate is complaints / delivered.',
  },
  failed: {
    label: 'Failed',
    definition: 'Messages that never left: given up after all attempts, or impossible to render.',
  },
  machineOpened: {
    label: 'Opens by machines',
    definition:
      'Opens by programs, such as mail readers that load pictures ahead of time. They are in no other number and in no rate.',
  },
  machineClicked: {
    label: 'Clicks by machines',
    definition:
      'Clicks by programs, such as scanners that follow every link. They are in no other number and in no rate.',
  },
  entered: { label: 'Entered', definition: 'Times that somebody entered the journey in this period.' },
  inProgress: { label: 'On the way', definition: 'Contacts that are in the journey now, whatever the period.' },
  completed: { label: 'Completed', definition: 'Times that somebody came to the end of the journey in this period.' },
  exited: {
    label: 'Left early',
    definition:
      'Times that somebody left before the end in this period: by an exit, by the exit condition, because the journey was stopped or the person erased.',
  },
  reachedGoal: {
    label: 'Reached the goal',
    definition: 'Times that somebody in the journey reached its goal in this period.',
  },
} as const satisfies Record<string, FigureText>;

export const t = {
  title: 'Reports',
  lead: 'What came of everything that was sent.',
  parts: 'Reports',
  tabs: { overview: 'Overview', journeys: 'Journeys', emails: 'Emails', links: 'Links', domains: 'Domains' },

  // The period
  period: 'Period',
  periods: { '7': 'Last 7 days', '30': 'Last 30 days', '90': 'Last 90 days', '365': 'Last 12 months' },
  all: 'All time',
  custom: 'Custom …',
  from: 'From',
  to: 'Until',
  utc: 'Days begin and end at midnight UTC.',
  wrongWay: 'The period ends before it begins.',

  // People and machines
  who: 'Opens and clicks by',
  people: 'People',
  machines: 'Machines',
  whoText:
    'Mail readers that load pictures ahead of time and scanners that follow every link would make nonsense of rates. Opens and clicks by programs are kept apart, and are in no other number.',
  machineNote: 'by programs; in no rate',

  // Overview
  overTime: 'Over time',
  sentOverTime: 'Messages over time',
  before: (name: string) => `${name}, period before`,
  unit: (hard: string, soft: string) => `${hard} hard, ${soft} soft`,
  comparedWith: (from: string, to: string) => `Compared with ${from} – ${to}`,
  nothing: 'Nothing happened in this period',
  nothingText: 'No mail was sent, and nothing came of earlier mail. Choose a longer period.',

  // Tables
  rate: (name: string) => `${name} rate`,
  journey: 'Journey',
  email: 'Email',
  allEmails: 'All emails',
  link: 'Link',
  domain: 'Domain',
  status: 'Status',
  total: 'All together',
  totals: 'Totals',
  noJourneys: 'No journeys yet',
  noJourneysText: 'Figures of journeys stand here once there is one.',
  tooManyJourneys: 'There are too many journeys to add them up at once. Choose a status.',
  anyStatus: 'Any status',
  statuses: { active: 'Active', draft: 'Draft', inactive: 'Stopped' },
  noLinks: 'Nobody clicked in this period',
  noLinksText: 'Links stand here once somebody has clicked them.',
  noDomains: 'No mail in this period',
  noDomainsText: 'The domains of recipients stand here once mail was sent.',
  noEmails: 'No mail in this period',
  noEmailsText: 'Emails stand here once they were sent.',
  deleted: '(deleted)',
  uniqueOfLink: 'Messages by the time of their first click by a person on this address.',
  definitions: 'What these numbers mean',

  // Files
  csv: 'Download CSV',
  csvFailed: 'The file could not be made',
};
