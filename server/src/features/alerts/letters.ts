// Alerts as mail, and as a message to a Slack-compatible webhook. Pure.
import { pageOfAlert } from '@rapport/contract';
import { harmless, type Letter } from '../accounts/index.js';
import type { HealthLimits } from '../messages/index.js';
import type { AlertRow } from './queries.js';
import { sayAlert, showAlert, titles } from './words.js';

/** Alerts that opened together. */
export interface News {
  workspace: string;
  alerts: readonly AlertRow[];
  /** Of their journeys and lists, by id. */
  names: ReadonlyMap<string, string>;
  limits: HealthLimits;
  /** Where the console is. */
  consoleUrl: string;
}

// The rest is a link away.
const mostTold = 10;

function titleOf(alerts: readonly AlertRow[]): string {
  const [first] = alerts;
  return first && alerts.length === 1 ? titles[first.kind] : `${alerts.length} alerts`;
}

interface Line {
  text: string;
  page: string;
}

/** Names are chosen by people, so they are made harmless. */
function linesOf({ alerts, names, limits, consoleUrl }: News): Line[] {
  return alerts.slice(0, mostTold).map((alert) => {
    const name = names.get(alert.subject);
    const text = sayAlert(alert, name === undefined ? null : harmless(name), limits);
    return { text, page: `${consoleUrl}${pageOfAlert(showAlert(alert, names, limits))}` };
  });
}

function restOf({ alerts }: News): string[] {
  return alerts.length > mostTold ? [`And ${alerts.length - mostTold} more.`] : [];
}

const usefulMs = 24 * 3_600_000;

export function alertLetter(news: News, stopLink: string, now: number): Letter {
  const { workspace, alerts, consoleUrl } = news;
  const [first] = linesOf(news);
  const isOne = alerts.length === 1;
  return {
    subject: `${harmless(workspace)}: ${titleOf(alerts)}`,
    before: [...linesOf(news).map(({ text }) => text), ...restOf(news)],
    action: isOne ? 'See more' : 'See all alerts',
    link: first && isOne ? first.page : `${consoleUrl}/settings/alerts`,
    after: [
      'Alerts close on their own once the problem is over.',
      'You get this email because you turned on alerts in Rapport.',
    ],
    stop: { action: 'Stop alerts by email', link: stopLink },
    usefulUntil: new Date(now + usefulMs).toISOString(),
  };
}

/** What mrkdwn, the markup of Slack, takes for its own. */
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const linked = (page: string, words: string) => `<${escaped(page)}|${words}>`;

/** The body of a post. */
export function alertPost(news: News): string {
  const { workspace, alerts, consoleUrl } = news;
  const head = `:warning: *${escaped(harmless(workspace))}*: ${titleOf(alerts)}`;
  const lines = linesOf(news).map(({ text, page }) => `• ${escaped(text)} ${linked(page, 'See more')}`);
  const rest = restOf(news).map((text) => `• ${text} ${linked(`${consoleUrl}/settings/alerts`, 'See all alerts')}`);
  return JSON.stringify({ text: [head, ...lines, ...rest].join('\n') });
}

export function testPost(workspace: string, consoleUrl: string): string {
  const where = linked(`${consoleUrl}/settings/alerts`, 'See all alerts');
  const text = `This is a test. Alerts for the workspace *${escaped(harmless(workspace))}* in Rapport will be posted here. ${where}`;
  return JSON.stringify({ text });
}
