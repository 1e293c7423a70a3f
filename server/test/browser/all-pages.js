// Every page of the console, with an address that shows it as the demo data has it. Tests and `npm run screenshots` walk this list.
/**
 * @typedef {object} ConsolePage
 * @property {string} name How the picture is called, and what a failure says.
 * @property {string} path
 * @property {'table' | 'window' | 'detail' | 'dashboard' | 'editor' | 'canvas' | 'builder' | 'settings' | 'report' | 'live'} [kind]
 *   What a page of its kind has that others do not: failures are tried on one of each kind.
 */

/**
 * Asks for the first of each thing; the demo has them all, or it is made here.
 * @param {{ url: string, token: string }} service
 * @returns {Promise<ConsolePage[]>}
 */
export async function allPages({ url, token }) {
  /**
   * @param {string} path
   * @param {{ type?: string, text?: string }} [body]
   */
  const ask = async (path, { type = 'application/json', text } = {}) => {
    const headers = { authorization: `Bearer ${token}`, ...(text === undefined ? {} : { 'content-type': type }) };
    const answer = await fetch(`${url}${path}`, {
      headers,
      ...(text === undefined ? {} : { method: 'POST', body: text }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    return /** @type {{ data: any }} */ (await answer.json()).data;
  };
  /**
   * @param {string} path
   * @param {() => Promise<unknown>} [make]
   */
  const first = async (path, make) => {
    const found = await ask(path);
    if (found.length > 0) return found[0];
    if (!make) throw new Error(`The demo has nothing at ${path}.`);
    await make();
    return (await ask(path))[0];
  };
  // Of a name that never leads anywhere.
  const hook = { url: 'https://hooks.invalid/rapport', events: ['message.sent', 'contact.unsubscribed'] };
  const file = 'email,first_name,plan\nkatherine@example.com,Katherine,pro\nnobody,No address,free\n';
  const [contact, organization, email, message, suppressed, outbox, form] = await Promise.all([
    first('/v2/contacts?search=ada'),
    first('/v2/organizations'),
    first('/v2/emails'),
    first('/v2/messages'),
    first('/v2/suppressions'),
    first('/v2/outbox'),
    first('/v2/forms'),
  ]);
  const [journey, staticList, dynamicList, webhook, imported] = await Promise.all([
    first('/v2/journeys?status=active&type=trigger'),
    first('/v2/lists?type=static'),
    first('/v2/lists?type=dynamic'),
    first('/v2/webhooks', () => ask('/v2/webhooks', { text: JSON.stringify(hook) })),
    first('/v2/imports', () => ask('/v2/contacts/import', { type: 'text/csv', text: file })),
  ]);
  const listed = { staticListId: staticList.staticListId };
  const draft = { name: 'News', emailId: email.emailId, audience: listed };
  const send = await first('/v2/broadcasts', () => ask('/v2/broadcasts', { text: JSON.stringify(draft) }));
  const enrolment = await first(`/v2/journeys/${journey.journeyId}/enrolments`);
  const filter = encodeURIComponent(JSON.stringify({ all: [{ property: 'plan', is: 'pro' }] }));
  const ofJourney = `journeys/${journey.journeyId}`;
  if (!suppressed.email) throw new Error('The demo suppresses no address.');
  return [
    { name: 'home', path: '', kind: 'dashboard' },
    { name: 'contacts', path: 'contacts', kind: 'window' },
    { name: 'contacts-filtered', path: `contacts?filter=${filter}` },
    { name: 'import', path: 'contacts/import' },
    { name: 'contact', path: `contacts/${contact.id}`, kind: 'detail' },
    { name: 'contact-topics', path: `contacts/${contact.id}/topics` },
    { name: 'organizations', path: 'organizations' },
    { name: 'organization', path: `organizations/${encodeURIComponent(organization.orgId)}` },
    { name: 'lists', path: 'lists' },
    { name: 'static-list', path: `lists/static/${staticList.staticListId}` },
    { name: 'dynamic-list', path: `lists/dynamic/${dynamicList.dynamicListId}` },
    { name: 'list-growth', path: `lists/dynamic/${dynamicList.dynamicListId}/growth`, kind: 'dashboard' },
    {
      name: 'compare-lists',
      path: `lists/compare?one=static:${staticList.staticListId}&other=dynamic:${dynamicList.dynamicListId}`,
    },
    { name: 'audience', path: `audience?filter=${filter}`, kind: 'builder' },
    { name: 'sends', path: 'sends' },
    { name: 'new-send', path: 'sends/new' },
    { name: 'send', path: `sends/${send.broadcastId}` },
    { name: 'journeys', path: 'journeys' },
    { name: 'journey', path: ofJourney, kind: 'canvas' },
    { name: 'journey-enrolments', path: `${ofJourney}/enrolments` },
    { name: 'enrolment', path: `${ofJourney}/enrolments/${enrolment.enrolmentId}` },
    { name: 'journey-runs', path: `${ofJourney}/runs` },
    { name: 'journey-versions', path: `${ofJourney}/versions` },
    { name: 'journey-report', path: `${ofJourney}/report` },
    { name: 'journey-settings', path: `${ofJourney}/settings` },
    { name: 'emails', path: 'emails', kind: 'table' },
    { name: 'email', path: `emails/${email.id}`, kind: 'editor' },
    { name: 'email-versions', path: `emails/${email.id}/versions` },
    { name: 'email-recipients', path: `emails/${email.id}/recipients` },
    { name: 'email-activity', path: `emails/${email.id}/activity` },
    { name: 'email-statistics', path: `emails/${email.id}/statistics` },
    { name: 'email-history', path: `emails/${email.id}/history` },
    { name: 'messages', path: 'messages' },
    { name: 'message', path: `messages/${message.messageId}` },
    { name: 'suppressions', path: 'suppressions' },
    { name: 'topics', path: 'topics' },
    { name: 'forms', path: 'forms' },
    { name: 'form', path: `forms/${form.formId}` },
    { name: 'form-embed', path: `forms/${form.formId}/embed` },
    { name: 'form-submissions', path: `forms/${form.formId}/submissions` },
    { name: 'outbox', path: 'outbox' },
    { name: 'outbox-message', path: `outbox/${encodeURIComponent(outbox.messageId)}` },
    { name: 'why', path: `why?contact=${contact.id}&journey=${journey.journeyId}` },
    { name: 'events', path: 'events', kind: 'live' },
    { name: 'event-names', path: 'events/names' },
    { name: 'properties', path: 'events/properties' },
    { name: 'imports', path: 'imports' },
    { name: 'import-progress', path: `imports/${imported.transactionId}` },
    { name: 'ingest-log', path: 'ingest-log' },
    { name: 'webhooks', path: 'webhooks' },
    { name: 'webhook', path: `webhooks/${webhook.id ?? webhook.webhookId}` },
    { name: 'reports', path: 'reports', kind: 'report' },
    { name: 'reports-journeys', path: 'reports/journeys' },
    { name: 'reports-emails', path: 'reports/emails' },
    { name: 'reports-links', path: 'reports/links' },
    { name: 'reports-domains', path: 'reports/domains' },
    { name: 'account', path: 'account' },
    { name: 'settings', path: 'settings', kind: 'settings' },
    { name: 'settings-branding', path: 'settings/branding' },
    { name: 'settings-people', path: 'settings/people' },
    { name: 'settings-tokens', path: 'settings/tokens' },
    { name: 'settings-apps', path: 'settings/apps' },
    { name: 'settings-domains', path: 'settings/domains' },
    { name: 'settings-transport', path: 'settings/transport' },
    { name: 'settings-hooks', path: 'settings/hooks' },
    { name: 'settings-alerts', path: 'settings/alerts' },
    { name: 'settings-sso', path: 'settings/sso' },
    { name: 'settings-audit', path: 'settings/audit' },
  ];
}
