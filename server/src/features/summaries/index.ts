// The figures of the week by mail, for people who asked for it.
import type { SecretBox } from '../../lib/secret-box.js';
import { StopLinks, stopPages } from '../accounts/index.js';
import { deleteChoice } from './queries.js';
import { summaryEndpoints } from './routes.js';
import { type SummaryNeeds, sendSummaries } from './send-summaries.js';

interface Needs extends Omit<SummaryNeeds, 'links'> {
  box: SecretBox;
}

const stopWords = {
  ...{ stop: 'Stop the weekly summary', noMore: 'No more weekly summaries', ended: 'The weekly summary is off' },
  place: { path: '/console/reports', name: 'Reports' },
};

export function summaries(needs: Needs) {
  const links = new StopLinks(needs.box, 'weekly-summary');
  return {
    endpoints: summaryEndpoints(needs),
    ...stopPages(needs.db, links, stopWords, (...whose) => deleteChoice(needs.db, ...whose)),
    chores: [
      {
        ...{ name: 'weekly summaries', everyMs: 300_000, atStart: true },
        run: (signal: AbortSignal) => sendSummaries({ ...needs, links }, signal),
      },
    ],
  };
}
