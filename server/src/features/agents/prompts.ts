// Prompts: tasks that a person can start with a word. They name tools, and contain nothing from the workspace.
import { shortened } from './bound.js';

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  say(given: Readonly<Record<string, string>>): string;
}

export const prompts: readonly Prompt[] = [
  {
    name: 'weekly_report',
    title: 'A weekly report',
    description: 'What was sent in the last seven days, what came of it, and what needs attention.',
    arguments: [],
    say: () => `Write a report about the mail of the last seven days for the people of this workspace.
Use get_statistics without an id and with startTime seven days ago for the totals and the week before. Then take the active journeys from list_journeys and read get_statistics of each. End with what describe_workspace says needs attention.
Name each rate with what it counts. Keep it to one page: the three most important numbers first, then what changed, then what to do.`,
  },
  {
    name: 'onboarding_journey',
    title: 'An onboarding journey from a description',
    description: 'Drafts the emails and the journey, tries them out, and sends nothing.',
    arguments: [{ name: 'description', description: 'For whom it is, and what they should do', required: true }],
    say: ({ description = '' }) => `Draft an onboarding journey. This is the description, in the person's words:
<description>
${description}
</description>
Call describe_workspace to see which properties, events and topics there are, and read the resource rapport://docs/journeys for the steps. Draft the emails with save_email and the journey with save_journey, first with dryRun: true. Then run simulate_journey and show what would happen to a few contacts, day by day.
Activate nothing. When the person is content, call plan with action activate_journey and show them its sentence and reach.`,
  },
  {
    name: 'why_no_email',
    title: 'Why did somebody not get an email?',
    description: 'Finds out what kept an email back, and what would help.',
    arguments: [
      { name: 'email', description: 'The address of the person', required: true },
      { name: 'about', description: 'The email or the journey, in words', required: false },
    ],
    say: ({
      email = '',
      about = '',
    }) => `Find out why somebody did not get an email. The address: <address>${email}</address>${about ? ` What they expected: <about>${about}</about>` : ''}
Find the email or the journey with search, the contact with get_contact, and ask explain with both. Repeat its main reason in your own words, name the evidence for it, and say what would have to change. Do not change anything.`,
  },
];

// Bytes of JSON of one argument: two of them and the prompt fit into one answer.
const longest = 8000;

export function promptMessages(prompt: Prompt, given: Readonly<Record<string, string>>) {
  const cut = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, shortened(String(text), longest)]));
  return [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.say(cut) } }];
}
