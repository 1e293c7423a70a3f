// The emails of the demo tenant, versions of one for two people, and what was sent of them.

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
export const firstLink = 'https://example.com/first-steps';
export const newsLink = 'https://example.com/news';

const fromEmail = { email: 'hello@example.com', name: 'Rapport Demo' };

export const emails = [
  {
    name: 'Welcome',
    subject: 'Welcome, {{first_name | default: "friend"}}',
    preheader: 'Three things to try first',
    fromEmail,
    html: page(`      <h1>Hello {{first_name | default: "there"}}</h1>
      <p>Good to have {{company_name | default: "you"}} with us. Three things to try first:</p>
      <ol>
        <li>Invite a colleague.</li>
        <li>Import your contacts.</li>
        <li>Send yourself a test email.</li>
      </ol>
      <p><a href="${firstLink}">First steps</a></p>
      {% if plan == "free" %}<p>You are on the free plan. It has everything you need to start.</p>{% endif %}`),
  },
  {
    name: 'Product update, November',
    subject: 'What is new in November',
    preheader: 'Versions of an email for each contact',
    replyTo: 'product@example.com',
    fromEmail,
    html: page(`      <h1>What is new</h1>
      <p>Hello {{first_name | default: "there"}}, every email can now have a version of its own for each contact.</p>
      {% if seats %}<p>All {{seats}} seats of your {{plan}} plan have it.</p>{% endif %}
      <p><a href="${newsLink}">Read more</a></p>`),
  },
];

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
