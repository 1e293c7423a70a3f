// Twenty things that people ask about the demo workspace. What changes with the day, such as yesterday's mail, is no fact here.
/** @typedef {import('./replay.js').Task} Task */

const lists = { tool: 'describe_workspace' };
const listId = (/** @type {string} */ name, /** @type {'static' | 'dynamic'} */ type = 'static') => ({
  ...lists,
  keep: { listId: `lists.name=${name}.${type}ListId` },
});
const email = (/** @type {string} */ name) => ({
  ...{ tool: 'search', given: { query: name, kinds: ['emails'] }, keep: { emailId: `items.name=${name}.emailId` } },
});
const journey = (/** @type {string} */ name) => ({
  ...{ tool: 'list_journeys', given: { search: name }, keep: { journeyId: `items.name=${name}.journeyId` } },
});
const onboarding = journey('Onboarding');

/** @type {Task[]} */
export const tasks = [
  {
    question: 'What is in this workspace?',
    calls: [{ tool: 'describe_workspace' }],
    facts: [
      ['1.workspace.name', 'Demo'],
      ['1.properties.key=plan.examples', ['free', 'pro', 'team']],
      ['1.properties.key=seats.types', ['number']],
      ['1.events.eventName=report_exported.total', 5],
      ['1.topics', { each: 'key', are: ['product_news', 'events_and_webinars'] }],
      ['1.lists', { size: 8 }],
      ['1.lists.name=Newsletter subscribers.numRecords', 6],
      ['1.sendingDomains.0.domain', 'example.com'],
    ],
    answer:
      'The workspace “{1.workspace.name}”: contacts have properties such as `plan` ({1.properties.key=plan.examples.0}, {1.properties.key=plan.examples.1} or {1.properties.key=plan.examples.2}) and `seats`; there are events such as `report_exported` ({1.events.eventName=report_exported.total} so far), two topics, eight lists, and the sending domain {1.sendingDomains.0.domain}.',
  },
  {
    question: 'Which journeys are active, and when does the next one run?',
    calls: [{ tool: 'list_journeys', given: { status: 'active' } }],
    facts: [
      ['1.total', 2],
      ['1.items', { each: 'name', are: ['Onboarding', 'Reporting regulars become power users'] }],
      ['1.items.name=Onboarding.nextRunTime', null],
      ['1.items.name=Reporting regulars become power users.nextRunTime', { includes: 'T0' }],
    ],
    answer:
      'Two: “Onboarding” starts with an event, “Reporting regulars become power users” runs on Mondays at nine in Berlin.',
  },
  {
    question: 'Why did hedy@example.com not get the welcome email?',
    calls: [email('Welcome'), { tool: 'explain', given: { email: 'hedy@example.com', emailId: '$emailId' } }],
    facts: [
      ['2.holds', false],
      ['2.sentence', 'Hedy Lamarr did not get “Welcome”: their address was suppressed manually.'],
      ['2.evidence.kind=suppression.holds', false],
    ],
    answer: '{2.sentence}',
  },
  {
    question: 'And linus@example.com?',
    calls: [email('Welcome'), { tool: 'explain', given: { email: 'linus@example.com', emailId: '$emailId' } }],
    facts: [
      ['2.holds', false],
      ['2.sentence', 'Linus Pauling did not get “Welcome”: it bounced: 550 5.1.1 No such user.'],
    ],
  },
  {
    question: 'Where is Katherine in the onboarding, and what is she waiting for?',
    calls: [onboarding, { tool: 'explain', given: { email: 'katherine@example.com', journeyId: '$journeyId' } }],
    facts: [
      ['2.holds', true],
      ['2.sentence', { includes: 'Katherine Johnson entered “Onboarding”' }],
      ['2.evidence.kind=filter.text', 'They have not done “data_imported” since they reached the step.'],
    ],
    answer: 'She is in it, at the step “Wait for their first import”. {2.evidence.kind=filter.text}',
  },
  {
    question: 'Why is Grace not in the onboarding?',
    calls: [onboarding, { tool: 'explain', given: { email: 'grace@example.com', journeyId: '$journeyId' } }],
    facts: [
      ['2.holds', false],
      ['2.sentence', 'Grace Hopper has not entered “Onboarding”: they never did “account_created”.'],
    ],
  },
  {
    question: 'Who is on the free plan?',
    calls: [{ tool: 'find_contacts', given: { filter: { property: 'plan', is: 'free' } } }],
    facts: [
      ['1.total', 3],
      ['1.items', { each: 'email', are: ['alan@example.com', 'hedy@example.com', 'linus@example.com'] }],
    ],
    answer: '{1.total} contacts: Alan Turing, Hedy Lamarr and Linus Pauling.',
  },
  {
    question: 'How many people on the team plan have exported a report in the last 30 days?',
    calls: [
      {
        tool: 'preview_audience',
        given: {
          filter: {
            all: [
              { property: 'plan', is: 'team' },
              { event: 'report_exported', withinLast: 'P30D' },
            ],
          },
        },
      },
    ],
    facts: [
      ['1.count', 3],
      ['1.isExact', true],
      [
        '1.sentence',
        'The contact’s property “plan” is “team”, and the contact did “report_exported” at least once in the last 30 days.',
      ],
      ['1.faults', []],
    ],
    answer: '{1.count}. The filter says: {1.sentence}',
  },
  {
    question: 'Who are our customers at Orbit Analytics?',
    calls: [
      { tool: 'search', given: { query: 'Orbit', kinds: ['organizations'] } },
      { tool: 'find_contacts', given: { filter: { organization: 'orgId', is: 'orbit' } } },
    ],
    facts: [
      ['1.items', [{ kind: 'organization', orgId: 'orbit', name: 'Orbit Analytics' }]],
      ['2.items', { each: 'email', are: ['ada@example.com', 'katherine@example.com', 'margaret@example.com'] }],
    ],
  },
  {
    question: 'Tell me about Ada: where is she, what does she get?',
    calls: [{ tool: 'get_contact', given: { email: 'ada@example.com' } }],
    facts: [
      ['1.contact.properties.plan', 'team'],
      ['1.organizations', { each: 'name', are: ['Analytical Engines', 'Orbit Analytics'] }],
      [
        '1.lists',
        { each: 'name', are: ['Reporting regulars', 'Power users', 'Beta testers', 'Newsletter subscribers'] },
      ],
      ['1.journeys.0.state', 'completed'],
      ['1.journeys.0.name', 'Onboarding'],
    ],
  },
  {
    question: 'Who still has to confirm that they want product news?',
    calls: [
      { ...lists, keep: { topicId: 'topics.key=product_news.topicId' } },
      { tool: 'find_contacts', given: { filter: { topic: '$topicId', is: 'pending' } } },
    ],
    facts: [['2.items', { each: 'email', are: ['alan@example.com'] }]],
    answer: '{2.items.0.firstName} {2.items.0.lastName}: he was asked by mail, and has not answered.',
  },
  {
    question: 'What would Hedy read in the welcome email?',
    calls: [email('Welcome'), { tool: 'preview_email', given: { emailId: '$emailId', email: 'hedy@example.com' } }],
    facts: [
      ['2.subject', 'Willkommen, Hedy'],
      ['2.language', 'de'],
      ['2.text', { includes: 'Du nutzt den kostenlosen Tarif.' }],
      ['2.problems', []],
    ],
    answer:
      '“{2.subject}”: her language is Austrian German, and the email has a German translation. In it is a paragraph that only people on the free plan see.',
  },
  {
    question: 'Which version of the product update did Ada get?',
    calls: [
      email('Product update, November'),
      { tool: 'preview_email', given: { emailId: '$emailId', email: 'ada@example.com' } },
    ],
    facts: [
      ['2.subject', 'Ada, the engine learned to weave'],
      ['2.text', { includes: 'You asked for loops in May.' }],
    ],
  },
  {
    question: 'What would a journey do that waits three days and then sends the welcome email, to Barbara and Hedy?',
    calls: [
      email('Welcome'),
      { tool: 'get_contact', given: { email: 'barbara@example.com' }, keep: { barbara: 'contact.contactId' } },
      { tool: 'get_contact', given: { email: 'hedy@example.com' }, keep: { hedy: 'contact.contactId' } },
      {
        tool: 'simulate_journey',
        given: {
          definition: {
            entry: { api: true },
            steps: [
              { id: 'wait', type: 'delay', for: 'P3D' },
              { id: 'mail', type: 'sendEmail', emailId: '$emailId' },
            ],
          },
          contactIds: ['$barbara', '$hedy'],
        },
      },
    ],
    facts: [
      ['4.contacts', { size: 2 }],
      ['4.steps.stepId=mail.entered', 2],
    ],
  },
  {
    question: 'How did the welcome email do, and what does the click rate count?',
    calls: [email('Welcome'), { tool: 'get_statistics', given: { emailId: '$emailId' } }],
    facts: [
      ['2.about', 'email'],
      ['2.statistics.sent', { atLeast: 40 }],
      ['2.statistics.hardBounced', 1],
      ['2.rateMeanings.clickRate', 'uniqueClicked / delivered; clicks by machines are not counted'],
    ],
  },
  {
    question: 'Make a list of trial users, but only show me what it would find.',
    calls: [
      {
        tool: 'save_list',
        given: { name: 'Trials', filter: { property: 'trial_ends', exists: true }, dryRun: true },
      },
      { tool: 'search', given: { query: 'Trials', kinds: ['lists'] } },
    ],
    facts: [
      ['1.saved', false],
      ['1.count', 1],
      ['1.faults', []],
      ['2.total', 0],
    ],
    answer: 'It would find {1.count} contact now. Nothing is saved.',
  },
  {
    question: 'Put Grace into the list of power users.',
    calls: [
      listId('Power users'),
      { tool: 'update_contact', given: { email: 'grace@example.com', addToLists: ['$listId'] } },
      { tool: 'plan', given: { action: 'change', email: 'grace@example.com', addToLists: ['$listId'] } },
    ],
    facts: [
      ['2.isError', true],
      ['2.errors.0.message', { includes: 'Nothing was changed. Call plan with action "change"' }],
      ['3.reach', 1],
    ],
  },
  {
    question: 'I think there is a journey “Onbording”. What does it do?',
    calls: [
      { tool: 'get_journey', given: { journeyId: 'Onbording' }, keep: { journeyId: 'nearest.0.journeyId' } },
      { tool: 'get_journey', given: { journeyId: '$journeyId' } },
    ],
    facts: [
      ['1.isError', true],
      ['1.nearest.0.name', 'Onboarding'],
      ['2.journey.name', 'Onboarding'],
    ],
  },
  {
    question: 'Find everybody whose plna is free.',
    calls: [{ tool: 'preview_audience', given: { filter: { property: 'plna', is: 'free' } } }],
    facts: [
      ['1.count', 0],
      ['1.warnings.0', { includes: 'No contact has the property “plna”. Nearest: plan' }],
    ],
  },
  {
    question: 'Plan to send the product update to the reporting regulars. Whom does it reach?',
    calls: [
      email('Product update, November'),
      listId('Reporting regulars', 'dynamic'),
      { tool: 'plan', given: { action: 'send_email', emailId: '$emailId', dynamicListId: '$listId' } },
    ],
    facts: [
      ['3.reach', 2],
      ['3.sentence', 'Send the email “Product update, November” to the list “Reporting regulars”: 2 people.'],
      ['3.firstRecipients', { each: 'email', are: ['ada@example.com', 'katherine@example.com'] }],
    ],
    answer: '{3.sentence} Nothing is sent before you agree, and the plan serves for ten minutes.',
  },
];
