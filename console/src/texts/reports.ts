// Reports, and the definition of every number as in docs/statistics.md.
import { countTitles, passageTitles, rateTitles } from '@rapport/contract';

export interface FigureText {
  readonly label: string;
  readonly definition: string;
}

/** What is counted, and when. Tests are never counted. */
export const figures = {
  sent: {
    label: countTitles.sent,
    definition:
      'Messages that a mail server accepted or permanently rejected, counted when it did. Test sends never count.',
  },
  delivered: {
    label: countTitles.delivered,
    definition:
      'Messages that the provider reported as delivered or, without a report, that were accepted and have not bounced. A later bounce removes the message, even from past days. Rate: delivered / sent.',
  },
  opened: {
    label: countTitles.uniqueOpened,
    definition:
      'Messages opened by a person, each counted once, at the first open. Automated opens don’t count. Rate: opened / delivered.',
  },
  opens: { label: countTitles.opened, definition: 'All opens by people. A message can be opened more than once.' },
  clicked: {
    label: countTitles.uniqueClicked,
    definition: 'Messages clicked by a person, each counted once, at the first click. Rate: clicked / delivered.',
  },
  clicks: { label: countTitles.clicked, definition: 'All clicks by people. A message can be clicked more than once.' },
  engaged: {
    label: countTitles.engaged,
    definition:
      'Messages opened or clicked by a person, each counted once, at the first open or click. People who block images and click count too.',
  },
  clickToOpen: {
    label: rateTitles.clickToOpenRate,
    definition:
      'Messages clicked / messages opened. Only here, a clicked message without a recorded open counts as opened.',
  },
  bounced: {
    label: countTitles.bounced,
    definition:
      'Messages returned or rejected, permanently (hard) or temporarily (soft). Each counts once. Rate: bounced / sent.',
  },
  unsubscribed: {
    label: countTitles.unsubscribed,
    definition:
      'Messages that someone unsubscribed from, each counted once, the first time, even if they resubscribed later. Rate: unsubscribed / delivered.',
  },
  complained: {
    label: countTitles.complained,
    definition: 'Messages reported as spam, counted when they were reported. Rate: complaints / delivered.',
  },
  failed: {
    label: countTitles.failed,
    definition: 'Messages never sent: all attempts failed, or they could not be rendered.',
  },
  machineOpened: {
    label: countTitles.machineOpened,
    definition: 'Automated opens, such as email apps that preload images. They count in no other number or rate.',
  },
  machineClicked: {
    label: countTitles.machineClicked,
    definition: 'Automated clicks, such as scanners that follow every link. They count in no other number or rate.',
  },
  entered: { label: passageTitles.entered, definition: 'How many times people entered the journey in this period.' },
  inProgress: { label: passageTitles.inProgress, definition: 'Contacts in the journey now, whatever the period.' },
  completed: {
    label: passageTitles.completed,
    definition: 'How many times people reached the end of the journey in this period.',
  },
  exited: {
    label: passageTitles.exited,
    definition:
      'How many times people left before the end in this period: by an exit step or condition, or because the journey was stopped or the contact erased.',
  },
  reachedGoal: {
    label: passageTitles.reachedGoal,
    definition: 'How many times people in the journey reached its goal in this period.',
  },
} as const satisfies Record<string, FigureText>;

export const t = {
  title: 'Reports',
  lead: 'How your email and journeys perform.',
  parts: 'Reports',
  tabs: {
    ...{ overview: 'Overview', sends: 'Sends', journeys: 'Journeys', emails: 'Emails' },
    ...{ links: 'Links', domains: 'Domains' },
  },

  // The period
  period: 'Period',
  periods: {
    ...{ '7': 'Last 7 days', '30': 'Last 30 days', '90': 'Last 90 days', '365': 'Last 12 months' },
    ...{ 'this-month': 'This month', 'last-month': 'Last month' },
    ...{ 'this-quarter': 'This quarter', 'last-quarter': 'Last quarter' },
  },
  all: 'All time',
  custom: 'Custom…',
  from: 'From',
  to: 'Until',
  wrongWay: 'The end is before the start.',
  noPeriods: {
    noDays: { title: 'Choose the days', text: 'Enter the first day. Leave the last day empty for today.' },
    backwards: { title: 'The period ends before it starts', text: 'Choose a later end or an earlier start.' },
    ahead: { title: 'Nothing has happened yet', text: 'The period is in the future. Choose an earlier start.' },
  },

  // People, or machines
  who: 'Opens and clicks by',
  people: 'People',
  machines: 'Automated',
  whoText:
    'Email apps that preload images and scanners that follow every link would distort your rates. Automated opens and clicks are counted separately.',
  machineNote: 'automated; not in rates',

  // Overview
  sentOverTime: 'Messages and engagement over time',
  unit: (hard: string, soft: string) => `${hard} hard, ${soft} soft`,
  comparedWith: (days: string, before: string) => `${days}, compared with ${before} (days in UTC)`,
  nothing: 'No activity in this period',
  nothingText: 'Nothing was sent, opened or clicked. Choose a longer period.',

  // Tables
  journey: 'Journey',
  send: 'Send',
  began: 'Started',
  email: 'Email',
  allEmails: 'All emails',
  link: 'Link',
  domain: 'Domain',
  status: 'Status',
  totals: 'Totals',
  conversionText:
    'How many times people reached the goal in this period. Conversion: reached the goal / entered. Journeys without a goal have none.',
  holdout: 'Vs. holdout',
  holdoutText:
    'Conversion of people who got the messages minus conversion of the holdout, who got none. “Not clear yet”: the difference may be chance (95% confidence). The journey’s report has the details.',
  notClear: 'not clear yet',
  noJourneys: 'No journeys yet',
  noJourneysText: 'Figures appear here once there is a journey.',
  tooManyJourneys: 'Too many journeys to total. Choose a status.',
  anyStatus: 'Any status',
  statuses: { active: 'Active', draft: 'Draft', inactive: 'Stopped' },
  noLinks: 'No clicks in this period',
  noLinksText: 'Links appear once someone clicks them.',
  noDomains: 'No email in this period',
  noDomainsText: 'Recipient domains appear once email is sent.',
  noSends: 'No sends in this period',
  noSendsText: 'Sends appear once they have started.',
  noEmails: 'No email in this period',
  noEmailsText: 'Emails appear once they are sent.',
  deleted: '(deleted)',
  uniqueOfLink: 'Messages in which a person clicked this link, each counted once, at the first click.',
  definitions: 'What these numbers mean',

  // By mail
  summary: 'Weekly summary by email',
  summaryWould: (address: string) => `The week’s figures, on Mondays at 8:00, to ${address}. Only you get it.`,
  summaryTo: (address: string, timeZone: string) => `On Mondays at 8:00 (${timeZone}) to ${address}.`,
  summaryObstacles: {
    noAddress: 'Only for people who sign in with an email address.',
    noMailServer: 'This installation has no mail server of its own to send it. Its operator can set SMTP_URL.',
  },
  summaryOn: 'You will get the weekly summary on Mondays.',
  summaryOff: 'You won’t get the weekly summary anymore.',
  summaryFailed: 'The weekly summary could not be changed',

  // Files
  csv: 'Export',
};
