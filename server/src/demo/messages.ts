// The emails of the demo tenant, versions of one for two people, and what was sent of them.
import { type Block, type ContentSpan, type Design, startingPoints } from '@rapport/contract';
import { welcomeInGerman } from './german.js';

const page = (body: string) => `<!doctype html>
<html>
  <body style="margin:0;background:#f4f4f5;font-family:Helvetica,Arial,sans-serif;color:#18181b">
    <div style="max-width:560px;margin:0 auto;padding:32px 24px;background:#ffffff">
${body}
      <p style="margin-top:32px;font-size:13px;color:#71717a">
        <a href="{{unsubscribe_url}}" style="color:#71717a">Unsubscribe</a>
      </p>
    </div>
  </body>
</html>`;

/** Of the first email, and of the second. */
export const firstLink = 'https://example.com/start';
export const newsLink = 'https://example.com/boards';
export const newsSubject = 'What’s new in November';

const fromEmail = { email: 'hello@example.com', name: 'Rapport Demo' };

/** Made of blocks, as a person would: from starting points, each with a part that only some people see, the first in two languages. */
export async function demoEmails() {
  const [welcome, news] = await Promise.all([begin('onboarding-1'), begin('announcement')]);
  const freePlan = 'You are on the free plan. It has everything you need to start.';
  const design = withSome(welcome.design, { property: 'plan', is: 'free' }, [{ text: freePlan }]);
  return [
    { name: 'Welcome', ...welcome, design, languages: { de: welcomeInGerman(design) }, fromEmail },
    {
      name: 'Product update, November',
      ...news,
      subject: newsSubject,
      replyTo: 'product@example.com',
      design: withSome(news.design, { property: 'seats', gte: 1 }, [
        { text: 'All ' },
        { variable: 'seats', default: 'the' },
        { text: ' seats of your ' },
        { variable: 'plan', default: 'current' },
        { text: ' plan have it.' },
      ]),
      fromEmail,
    },
  ];
}

async function begin(id: string) {
  const point = startingPoints.find((one) => one.id === id);
  if (!point) throw new Error(`There is no starting point ${id}.`);
  const { subject, preheader, load } = point;
  return { subject, preheader, design: await load() };
}

/** The design, with a paragraph before its first button for those whom the filter matches. */
function withSome(design: Design, filter: object, spans: ContentSpan[]): Design {
  const at = design.blocks.findIndex(({ type }) => type === 'button');
  const text: Block = { type: 'text', content: [{ type: 'paragraph', spans }] };
  return { ...design, blocks: design.blocks.toSpliced(at, 0, { type: 'if', filter, blocks: [text] }) };
}

/** Of the second email. */
export const versions = [
  {
    email: 'ada@example.com',
    subject: 'Ada, the engine learned to weave',
    preheader: 'Written for you alone',
    html: page(`      <h1>Dear Ada</h1>
      <p>You asked for loops in May. They are here, and twelve seats of Analytical Engines have them today.</p>`),
  },
  {
    email: 'grace@example.com',
    expiresAt: '2099-12-31T00:00:00Z',
    html: page(`      <h1>Dear Grace</h1>
      <p>The compiler you reported on is a nanosecond faster. We measured it with your wire.</p>`),
  },
];

/** Who got what, and what came of it: one message for each thing that can be seen. `email`: which of the emails above. */
export interface DemoMessage {
  to: string;
  email: number;
  transactional?: boolean;
  sendAt?: string;
  fate: 'nothing' | 'cancelled' | 'delivered' | 'bounced' | 'opened' | 'clicked';
}

const nextCentury = '2099-12-31T09:00:00Z';

/** Hedy's is skipped: she is among `suppressed`. Linus is suppressed afterwards: his bounces. */
export const sent: DemoMessage[] = [
  { to: 'ada@example.com', email: 0, fate: 'clicked' },
  { to: 'katherine@example.com', email: 0, fate: 'opened' },
  { to: 'margaret@example.com', email: 0, transactional: true, fate: 'delivered' },
  { to: 'barbara@example.com', email: 0, fate: 'nothing' },
  { to: 'linus@example.com', email: 0, fate: 'bounced' },
  { to: 'hedy@example.com', email: 0, fate: 'nothing' },
  { to: 'ada@example.com', email: 1, fate: 'opened' },
  { to: 'grace@example.com', email: 1, fate: 'delivered' },
  { to: 'katherine@example.com', email: 1, fate: 'opened' },
  { to: 'radia@example.com', email: 1, sendAt: nextCentury, fate: 'cancelled' },
  { to: 'alan@example.com', email: 1, sendAt: nextCentury, fate: 'nothing' },
];

/** Addresses that get no mail. */
export const suppressed = ['hedy@example.com'];
