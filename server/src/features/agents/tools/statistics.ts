// Results: of a journey, an email or everything, with what each rate counts.
import * as contract from '@rapport/contract';
import { Type } from 'typebox';
import { invalid } from '../../../http/api-error.js';
import { reads, shape, tool } from '../tool.js';
import { plural } from './people.js';

/** What the rates of the API are made of. */
const rateMeanings = {
  deliveryRate: 'delivered / sent',
  openRate: 'uniqueOpened / delivered; opens by machines are not counted',
  clickRate: 'uniqueClicked / delivered; clicks by machines are not counted',
  clickToOpenRate: 'uniqueClicked / uniqueOpened',
  bounceRate: 'bounced / sent',
  unsubscribeRate: 'unsubscribed / delivered',
};

export const getStatistics = tool({
  name: 'get_statistics',
  title: 'Read statistics',
  scopes: ['read'],
  description:
    'Results of a journey, of an email, or of all mail, within a window; rates say what they count. Example: {"emailId":"019a8b2c4d5e6f708192a3c1","startTime":"2026-11-01T00:00:00Z"}',
  input: Type.Object({
    journeyId: Type.Optional(Type.String()),
    emailId: Type.Optional(Type.String({ description: 'neither: an overview of all mail' })),
    startTime: Type.Optional(Type.String({ description: 'RFC 3339' })),
    endTime: Type.Optional(Type.String()),
    interval: Type.Optional(Type.Enum(['hour', 'day'], { description: 'of the series; not of a journey' })),
  }),
  output: shape({ about: 'string', statistics: 'object', rateMeanings: 'object', cut: 'string' }),
  annotations: reads,
  run: async ({ journeyId, emailId, interval, ...window }, { api }) => {
    if (journeyId !== undefined && emailId !== undefined)
      throw invalid('emailId', 'and journeyId exclude one another: give one, or neither');
    const ofEmail = async (id: string) =>
      (await api(contract.getEmailStats, { params: { id }, query: { ...window, interval } })).data;
    const overview = async () => (await api(contract.getStatsOverview, { query: { ...window, interval } })).data;
    const statistics =
      journeyId !== undefined
        ? (await api(contract.getJourneyStats, { params: { id: journeyId }, query: window })).data
        : emailId !== undefined
          ? await ofEmail(emailId)
          : await overview();
    const about = journeyId !== undefined ? 'journey' : emailId !== undefined ? 'email' : 'overview';
    return {
      data: { about, statistics, rateMeanings },
      text: `${plural(statistics.sent, 'message')} sent, ${statistics.delivered} delivered, ${statistics.uniqueOpened} opened, ${statistics.uniqueClicked} clicked.`,
      touched: [...(journeyId ? [`journey:${journeyId}`] : []), ...(emailId ? [`email:${emailId}`] : [])],
    };
  },
});
