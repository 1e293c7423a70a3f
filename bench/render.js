// 10,000 personalized emails from one template: Rapport's own decision and rendering against bare liquidjs.
import { Liquid } from 'liquidjs';
import { renderChosen } from '../server/dist/features/email-versions/index.js';
import { median } from './processes.js';

const contacts = 10_000;
const rounds = 7;
const goal = 0.8;

const row = (/** @type {number} */ i) =>
  `<tr style="background:#fff"><td style="padding:8px">Item ${i}</td><td style="padding:8px">{{plan | upcase}}</td></tr>`;
const email = {
  subject: 'Welcome, {{first_name | default: "friend"}}',
  preheader: '{{company_name}} and you',
  html: `<!doctype html><html><head><style>${'p{margin:0 0 16px;color:#18181b}'.repeat(40)}</style></head><body>
    <h1>Hello {{first_name | default: "there"}}</h1>
    {% if seats %}<p>All {{seats}} seats of {{company_name}} have it.</p>{% else %}<p>Try it today.</p>{% endif %}
    <table>${Array.from({ length: 12 }, (_, i) => row(i)).join('\n')}</table>
    {% for tag in tags %}<span>{{tag}}</span>{% endfor %}
    <a href="{{view_url}}">View</a> <a href="{{unsubscribe_url}}">Unsubscribe</a></body></html>`,
};
const people = Array.from({ length: contacts }, (_, i) => ({
  email: `person${i}@example.com`,
  properties: {
    first_name: i % 7 ? `Person ${i} & co` : '',
    company_name: `Company <${i % 100}>`,
    plan: i % 2 ? 'pro' : 'team',
    tags: ['a', 'b', `c${i % 5}`],
    ...(i % 3 ? { seats: i } : {}),
  },
}));
const links = { unsubscribeUrl: 'https://rapport.example/t/u/x', viewUrl: 'https://rapport.example/t/v/x' };

/** @typedef {(typeof people)[number]} Person */

/** What anybody would write who has the three templates parsed. */
function bareRenderer() {
  const html = new Liquid({ outputEscape: 'escape' });
  const text = new Liquid();
  const subject = text.parse(email.subject);
  const preheader = text.parse(email.preheader);
  const body = html.parse(email.html);
  return (/** @type {Person} */ { email: address, properties }) => {
    const scope = { ...properties, email: address, unsubscribe_url: links.unsubscribeUrl, view_url: links.viewUrl };
    return {
      subject: text.renderSync(subject, scope),
      preheader: text.renderSync(preheader, scope),
      html: html.renderSync(body, scope),
    };
  };
}

/** @param {(person: Person) => unknown} renderOne */
function perSecond(renderOne) {
  const start = performance.now();
  for (const person of people) renderOne(person);
  return contacts / ((performance.now() - start) / 1000);
}

/** @param {(line: string) => void} print */
export async function bench(print) {
  const now = new Date();
  const ours = (/** @type {Person} */ person) => renderChosen(email, person, undefined, now, links);
  const bare = bareRenderer();
  for (const person of people.slice(0, 100)) {
    const [a, b] = [ours(person), bare(person)];
    if (a.html !== b.html || a.subject !== b.subject || a.preheader !== b.preheader) throw new Error('They differ');
  }
  perSecond(ours);
  perSecond(bare);
  // They take turns, so that a busy moment of the machine hits both.
  /** @type {Record<'ours' | 'bare', number[]>} */
  const figures = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(perSecond(ours));
    figures.bare.push(perSecond(bare));
  }
  const [rapport, limit] = [median(figures.ours), median(figures.bare)];
  print(
    `${contacts} emails of ${(email.html.length / 1024).toFixed(1)} KB, subject and preheader too, median of ${rounds} rounds`,
  );
  print(`Rapport                           ${rapport.toFixed(0)} emails/s`);
  print(`bare liquidjs, cached template    ${limit.toFixed(0)} emails/s`);
  print(`ratio                             ${(rapport / limit).toFixed(2)}, goal ${goal}`);
}
