// The page of a link to a sending domain's DNS records: for the person who runs DNS, without a sign-in. It shows nothing but the records.
import type { RecordState } from '@rapport/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Served } from '../../http/paths.js';
import { escapeHtml } from '../../http/reference/html.js';
import { sendOwnPage } from '../messages/index.js';
import type { SendingDesk } from '../sending/index.js';

type Domain = NonNullable<Awaited<ReturnType<SendingDesk['findShared']>>>;
type Entry = Domain['records'][number];

const pattern = '/dns/{link}';
export const dnsPagePaths: readonly Served[] = [{ method: 'GET', path: pattern }];

export function installDnsPage(http: FastifyInstance, sending: SendingDesk): void {
  http.get('/dns/:link', { config: { area: 'open', pattern } }, async (request: WithLink, reply) => {
    const domain = await sending.findShared(request.params.link);
    if (!domain) return sendOwnPage(reply, 404, 'en', { title: 'This link no longer works', content: gone });
    return sendOwnPage(reply, 200, 'en', { title: `DNS records for ${domain.domain}`, content: contentOf(domain) });
  });
}

type WithLink = FastifyRequest<{ Params: { link: string } }>;

const gone =
  '<p>It has expired, was turned off, or is incomplete. Ask the person who sent it to you for a new one.</p>\n';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function contentOf({ domain, records, sharedUntil }: Domain): string {
  const until = sharedUntil === null ? '' : ` This page expires on ${day.format(new Date(sharedUntil))}.`;
  return `<p>Publish these records in the DNS zone of <strong>${escapeHtml(domain)}</strong>. Names are complete: if your DNS service adds the domain automatically, leave it out.${until}</p>
${records.map(recordHtml).join('')}<h2>All records as a zone file</h2>
${fieldHtml('all', 'Zone file', zoneOf(records))}`;
}

const purposes: Readonly<Record<Entry['purpose'], string>> = {
  ...{ dkim: 'Signature (DKIM)', spf: 'Allowed senders (SPF)', dmarc: 'Forgery policy (DMARC)' },
  ...{ 'return-path': 'Bounces (return path)', tracking: 'Link and open tracking' },
};
const states: Readonly<Record<RecordState, string>> = {
  ...{ unknown: 'Not checked', missing: 'Missing', wrong: 'Wrong', found: 'Found' },
};

function recordHtml({ purpose, type, name, value, state, detail }: Entry): string {
  return `<h2>${purposes[purpose]}</h2>
<p class="saved"><strong>${states[state]}.</strong> ${escapeHtml(detail)}</p>
${fieldHtml(`${purpose}-type`, 'Type', type)}${fieldHtml(`${purpose}-name`, 'Name', name)}${fieldHtml(`${purpose}-value`, 'Value', value)}`;
}

// Characters that surely fit beside each other on a phone.
const lineLength = 28;

// Fields, because their whole text can be selected at once. Long ones have lines.
function fieldHtml(id: string, label: string, text: string): string {
  const rows = text.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / lineLength), 0);
  const field =
    rows > 1
      ? `<textarea id="${id}" rows="${rows}" readonly>${escapeHtml(text)}</textarea>`
      : `<input id="${id}" value="${escapeHtml(text)}" readonly>`;
  return `<div class="field"><label for="${id}">${label}</label>${field}</div>\n`;
}

// Bytes. A TXT record is made of strings of at most this length.
const longestString = 255;

/** What is not to be published yet is left out. */
export function zoneOf(records: readonly Entry[]): string {
  return records
    .filter(({ detail }) => !detail.startsWith('Do not publish'))
    .map(
      ({ type, name, value }) =>
        `${name}. 3600 IN ${type} ${type === 'TXT' ? stringsOf(value) : pointerOf(type, value)}`,
    )
    .join('\n');
}

function stringsOf(value: string): string {
  const parts = value.match(new RegExp(`.{1,${longestString}}`, 'gs')) ?? [''];
  return parts.map((part) => `"${part.replace(/["\\]/g, '\\$&')}"`).join(' ');
}

function pointerOf(type: Entry['type'], value: string): string {
  return type === 'CNAME' ? `${value}.` : value;
}
