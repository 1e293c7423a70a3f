// Statistics of journeys and emails. What they answer is in stats-shapes.ts.
import { exampleCounts, statsInterval, statsWindow } from './figures.js';
import { journeyFilters } from './journeys.js';
import { onlyV2, route } from './route.js';
import { EmailStats, JourneyRollup, JourneyStats, TopicStats } from './stats-shapes.js';

const tag = 'Statistics';
const emailId = '019a8b2c4d5e6f708192a3c1';
const journeyId = '019a8b2c4d5e6f708192a3d1';
const someRates = {
  ...{ deliveryRate: 0.95, openRate: 0.4, clickRate: 0.2, clickToOpenRate: 0.5, bounceRate: 0.05 },
  unsubscribeRate: 0,
};
const noRates = Object.fromEntries(Object.keys(someRates).map((name) => [name, 0]));
const some = exampleCounts({
  ...{ sent: 200, delivered: 190, opened: 112, uniqueOpened: 76, clicked: 45, uniqueClicked: 38 },
  ...{ bounced: 10, hardBounced: 8, softBounced: 2, machineOpened: 31, machineClicked: 12 },
});
const passage = { entered: 220, completed: 120, exited: 20, inProgress: 80 };
const holdout = {
  treated: { entered: 200, reachedGoal: 58, goalRate: 0.29 },
  held: { entered: 20, reachedGoal: 2, goalRate: 0.1 },
  ...{ difference: 0.19, interval: [-0.0194, 0.288], lift: 1.9, method: 'newcombe' },
};
const window = { startTime: '2026-11-01T00:00:00Z', endTime: '2026-11-30T23:59:59.999Z' };
const windowText = 'Both ends of the window are included, to the millisecond; without a window, everything counts.';

export const getJourneyStats = route({
  id: 'getJourneyStats',
  tag,
  method: 'GET',
  path: '/journeys/{id}/stats',
  versions: onlyV2,
  summary: 'Read the statistics of a journey',
  description: `Results of its messages and of the contacts that entered it, with its emails, steps, splits and holdout. ${windowText}`,
  pathParams: { id: 'Journey id, 24 hex digits.' },
  query: statsWindow,
  snakeCase: true,
  data: JourneyStats,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { id: journeyId },
    query: window,
    data: {
      ...{ journeyId, name: 'Welcome', ...some, rates: someRates, ...passage, reachedGoal: 60 },
      emails: [{ emailId, name: 'Welcome', ...some, rates: someRates }],
      steps: [
        { stepId: 'welcome', type: 'sendEmail', entered: 220, left: 220, inProgress: 0, ...some },
        { stepId: 'wait', type: 'delay', entered: 220, left: 140, inProgress: 80 },
      ],
      splits: [],
      holdout: { percent: 10, ...holdout },
    },
  },
});

export const getJourneyRollup = route({
  id: 'getJourneyRollup',
  tag,
  method: 'GET',
  path: '/journeys/stats',
  versions: onlyV2,
  summary: 'Read the statistics of many journeys',
  description: `One row for each journey that matches, and their totals. Takes every filter of the collection of journeys. Not paged: if more match than one request covers (500, unless configured otherwise), narrow the filter. ${windowText}`,
  query: { ...journeyFilters, ...statsWindow },
  snakeCase: true,
  data: JourneyRollup,
  paged: false,
  errors: ['RESULT_SET_TOO_LARGE'],
  example: {
    query: { status: 'active', ...window },
    data: {
      journeys: [
        {
          ...{ journeyId, name: 'Welcome', type: 'trigger', status: 'active' },
          ...{ ...some, rates: someRates, ...passage, reachedGoal: 60, goalRate: 0.2727, holdout },
        },
      ],
      totals: { ...some, rates: someRates, ...passage, reachedGoal: 60 },
    },
  },
});

export const getEmailStats = route({
  id: 'getEmailStats',
  tag,
  method: 'GET',
  path: '/emails/{id}/stats',
  versions: onlyV2,
  summary: 'Read the statistics of an email',
  description: `Results of its messages, from journeys and single sends together, by version, link and time. ${windowText}`,
  pathParams: { id: 'Email id, 24 hex digits.' },
  query: { ...statsWindow, interval: statsInterval },
  snakeCase: true,
  data: EmailStats,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { id: emailId },
    query: { ...window, interval: 'day' },
    data: {
      ...{ emailId, name: 'Welcome', ...some, rates: someRates, defaultSent: 200, personalizedSent: 0 },
      versions: {
        default: { ...some, rates: someRates },
        personalized: { ...exampleCounts({}), rates: noRates },
      },
      links: [{ url: 'https://example.com/start', clicked: 45, uniqueClicked: 38, machineClicked: 12 }],
      series: [{ time: '2026-11-15T00:00:00.000Z', ...some }],
    },
  },
});

const topicId = '019a8b2c4d5e6f708192a3d2';
const became = { subscribed: 40, unsubscribed: 2, pending: 5 };

export const getTopicStats = route({
  id: 'getTopicStats',
  tag,
  method: 'GET',
  path: '/topics/{topicId}/stats',
  versions: onlyV2,
  summary: 'Read the statistics of a topic',
  description: `Results of the messages that left with it, whatever topic their email has now, and what contacts said of it. ${windowText}`,
  pathParams: { topicId: 'Topic id, 24 hex digits.' },
  query: { ...statsWindow, interval: statsInterval },
  snakeCase: true,
  data: TopicStats,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { topicId },
    query: { ...window, interval: 'day' },
    data: {
      ...{ topicId, name: 'Product news', ...some, rates: someRates, became },
      series: [{ time: '2026-11-15T00:00:00.000Z', ...some, became }],
    },
  },
});

export const statsRoutes = [getJourneyStats, getJourneyRollup, getEmailStats, getTopicStats] as const;
