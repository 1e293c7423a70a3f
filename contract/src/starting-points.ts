// Designs to begin an email with. Each is a file that `rapport email push` takes, too; they are loaded one by one, when they are chosen.
// Their only variables are known in every workspace: `first_name`, and `data`, which the message carries.
import type { Design } from './grammar/design.js';

export interface StartingPoint {
  readonly id: string;
  /** For people: a name and a line. */
  readonly name: string;
  readonly description: string;
  /** Suggestions, Liquid as in every email. */
  readonly subject: string;
  readonly preheader: string;
  /** What a message may carry in `data`, for those that show it. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly load: () => Promise<Design>;
}

// TypeScript reads `"type": "text"` in JSON as any text. A test reads every file as the service does.
const designIn = async (file: Promise<{ default: unknown }>) => (await file).default as Design;

export const startingPoints: readonly StartingPoint[] = [
  {
    id: 'announcement',
    name: 'Announcement',
    description: 'One piece of news with a button, and two smaller ones below.',
    subject: 'New: your whole quarter on one page',
    preheader: 'As of today, Boards are open to everyone.',
    load: () => designIn(import('./starting-points/announcement.json', { with: { type: 'json' } })),
  },
  {
    id: 'onboarding-1',
    name: 'Onboarding 1: welcome',
    description: 'A greeting and three first steps.',
    subject: 'Welcome, {{ first_name | default: "friend" }}',
    preheader: 'Three steps, about ten minutes.',
    load: () => designIn(import('./starting-points/onboarding-1.json', { with: { type: 'json' } })),
  },
  {
    id: 'onboarding-2',
    name: 'Onboarding 2: invite others',
    description: 'Why to invite colleagues, and a message to copy.',
    subject: 'Who else should see this?',
    preheader: 'One link brings your team in.',
    load: () => designIn(import('./starting-points/onboarding-2.json', { with: { type: 'json' } })),
  },
  {
    id: 'onboarding-3',
    name: 'Onboarding 3: good habits',
    description: 'Three numbered tips after the first week.',
    subject: 'Three habits of teams that finish on time',
    preheader: 'What teams that stay ahead of their work do.',
    load: () => designIn(import('./starting-points/onboarding-3.json', { with: { type: 'json' } })),
  },
  {
    id: 'digest',
    name: 'Digest',
    description: 'A newsletter: a few stories, each with a link, and an archive.',
    subject: 'A week of doing less',
    preheader: 'Finish before you start, the meeting that became a page, and four days.',
    load: () => designIn(import('./starting-points/digest.json', { with: { type: 'json' } })),
  },
  {
    id: 'invitation',
    name: 'Invitation',
    description: 'An event with time, place and program.',
    subject: '{{ first_name | default: "Hello" }}, will you join us?',
    preheader: 'A live workshop on Thursday, January 14. 80 seats.',
    load: () => designIn(import('./starting-points/invitation.json', { with: { type: 'json' } })),
  },
  {
    id: 'trial-ending',
    name: 'Trial ending',
    description: 'What happens in three days, and two plans to choose from.',
    subject: 'Your trial ends in three days',
    preheader: 'Choose a plan, or stay on the free one. Nothing is deleted.',
    load: () => designIn(import('./starting-points/trial-ending.json', { with: { type: 'json' } })),
  },
  {
    id: 'receipt',
    name: 'Receipt',
    description: 'What was bought and paid, from the message’s data.',
    subject: 'Your receipt, order {{ data.order.number | default: "0000" }}',
    preheader: 'Thank you. The invoice is in your account.',
    data: {
      order: { number: '10482', date: '2026-11-05', total: '€228.00' },
      lines: [
        { name: 'Team plan, 12 seats', amount: '€108.00' },
        { name: 'Workshop: planning a quarter', amount: '€120.00' },
      ],
    },
    load: () => designIn(import('./starting-points/receipt.json', { with: { type: 'json' } })),
  },
  {
    id: 'survey',
    name: 'Survey',
    description: 'One question, answered with one click.',
    subject: 'One question, one click',
    preheader: 'How are we doing?',
    load: () => designIn(import('./starting-points/survey.json', { with: { type: 'json' } })),
  },
  {
    id: 'letter',
    name: 'Plain letter',
    description: 'Only words, as from one person to another.',
    subject: 'A change before you read it elsewhere',
    preheader: 'Example will come in two sizes instead of five.',
    load: () => designIn(import('./starting-points/letter.json', { with: { type: 'json' } })),
  },
];
