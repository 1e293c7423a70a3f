// 10,000 personalized emails from one template, as when sending: decided, rendered in a process that can be killed, and
// returned. Compared with bare liquidjs in this process, and the round trip of a single preview.
import { Liquid } from 'liquidjs';
import { renderAll } from '../server/dist/features/email-versions/index.js';
import { Renderer } from '../server/dist/features/emails/index.js';
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
const links = {
  unsubscribeUrl: 'https://rapport.example/t/u/x',
  preferencesUrl: 'https://rapport.example/t/p/x',
  viewUrl: 'https://rapport.example/t/v/x',
};

/** @typedef {(typeof people)[number]} Person */

/** The plain way to use the three parsed templates. */
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

/** @param {() => unknown} renderEverybody */
async function perSecond(renderEverybody) {
  const start = performance.now();
  await renderEverybody();
  return contacts / ((performance.now() - start) / 1000);
}

/**
 * @template {unknown[]} T
 * @param {(...given: T) => Promise<unknown>} effect
 * @param {T} given
 */
async function millisecondsOf(effect, ...given) {
  const start = performance.now();
  await effect(...given);
  return performance.now() - start;
}

/** @param {(line: string) => void} print */
export async function bench(print) {
  const now = new Date();
  const renderer = new Renderer();
  const ours = (/** @type {Person[]} */ some) =>
    renderAll(
      renderer,
      1,
      email,
      some.map((contact) => ({ contact, version: undefined, links })),
      now,
    );
  const bareOne = bareRenderer();
  const bare = (/** @type {Person[]} */ some) => some.map(bareOne);
  const start = await millisecondsOf(ours, people.slice(0, 1));
  const [mine, theirs] = [await ours(people.slice(0, 100)), bare(people.slice(0, 100))];
  for (const [i, b] of theirs.entries()) {
    const a = mine[i];
    if (!a || a instanceof Error) throw a ?? new Error('They differ');
    if (a.html !== b.html || a.subject !== b.subject || a.preheader !== b.preheader) throw new Error('They differ');
  }
  await perSecond(() => ours(people));
  await perSecond(() => bare(people));
  // They take turns, so that a busy moment of the machine hits both.
  /** @type {Record<'ours' | 'bare' | 'single' | 'loop', number[]>} */
  const figures = { ours: [], bare: [], single: [], loop: [] };
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    figures.ours.push(await perSecond(() => ours(people)));
    const { user, system } = process.cpuUsage(before);
    figures.loop.push((user + system) / contacts);
    figures.bare.push(await perSecond(() => bare(people)));
    for (const person of people.slice(0, 100)) figures.single.push(await millisecondsOf(ours, [person]));
  }
  await renderer.close();
  const [rapport, limit] = [median(figures.ours), median(figures.bare)];
  print(
    `${contacts} emails of ${(email.html.length / 1024).toFixed(1)} KB, subject and preheader too, median of ${rounds} rounds`,
  );
  print(`Rapport                           ${rapport.toFixed(0)} emails/s`);
  print(`bare liquidjs, cached template    ${limit.toFixed(0)} emails/s`);
  print(`ratio                             ${(rapport / limit).toFixed(2)}, goal ${goal}`);
  print(
    `one email, there and back         ${median(figures.single).toFixed(2)} ms; the first, with its process, ${start.toFixed(0)} ms`,
  );
  print(`processor time here, an email     ${median(figures.loop).toFixed(0)} µs; the rest is the other process's`);
}
