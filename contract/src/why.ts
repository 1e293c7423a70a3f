// "Why did this person (not) get this?" One sentence first, then the evidence.
import { Type } from 'typebox';
import { onlyV2, route } from './route.js';
import { AssetId, ContactId, Named, Nullable, Words } from './schema.js';
import { suppressionReasons } from './suppressions.js';

/** What can be asked about, by the name of its parameter. */
export const whyThings = ['journey', 'email', 'message', 'dynamicList', 'staticList'] as const;
export type WhyThing = (typeof whyThings)[number];

export const evidenceKinds = [
  ...['message', 'suppression', 'mail', 'journey', 'entry', 'reentry', 'enrolment', 'step'],
  ...['filter', 'list', 'email', 'topic'],
] as const;
export const evidenceRefs = [...whyThings, 'enrolment'] as const;

/** What can be changed about it. */
export const whyFactCodes = [
  ...(['addressSuppressed', 'sendingPaused', 'notSubscribed', 'noMailServer', 'senderNotApproved'] as const),
  ...(['senderNotVerified', 'journeyNotActive', 'journeyPaused', 'conditionFails', 'notInList', 'neverSent'] as const),
  ...(['holdout', 'capped'] as const),
] as const;
export type WhyFactCode = (typeof whyFactCodes)[number];

const WhyFact = Named(
  'WhyFact',
  {
    code: Words(
      whyFactCodes,
      '`addressSuppressed`: for `reason`, `by` whom. `sendingPaused`: for the workspace. `notSubscribed`: to `topicId`. `noMailServer`: mail is kept in the outbox. `senderNotApproved`, `senderNotVerified`: the sender’s `domain`. `journeyNotActive`, `journeyPaused`: `journeyId`. `conditionFails`: the part of the filter of `dynamicListId` at `path`. `notInList`: `staticListId`. `neverSent`: nothing sends `emailId`. `holdout`, `capped`: of `journeyId`.',
    ),
    reason: Type.Optional(Words(suppressionReasons)),
    by: Type.Optional(
      Nullable(
        Type.Object(
          { id: Type.Integer(), name: Type.String() },
          { description: 'Who did it by hand. Null: it came about by itself.' },
        ),
      ),
    ),
    topicId: Type.Optional(AssetId()),
    domain: Type.Optional(Type.String()),
    journeyId: Type.Optional(AssetId()),
    emailId: Type.Optional(AssetId()),
    staticListId: Type.Optional(AssetId()),
    dynamicListId: Type.Optional(AssetId()),
    path: Type.Optional(Type.String({ description: 'As in the explanation of the list: `filter.all[0]`.' })),
  },
  'What a remedy needs to know: a code and its subjects.',
);

const given = (description: string) =>
  ({ kind: 'text', emptyIsAbsent: false, repeatable: false, description }) as const;
const contactId = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const emailId = '019a8b2c4d5e6f708192a3c1';
const journeyId = '019a8b2c4d5e6f708192a3d1';
const messageId = '019a8b2c4d5e7f708192a3b4c5d6e7f9';

export const why = route({
  id: 'why',
  tag: 'Why',
  method: 'GET',
  path: '/why',
  versions: onlyV2,
  summary: 'Explain why a person did or did not get something',
  description:
    'Name one contact, by `contactId` or `email`, and one thing. For an email or a message: whether it reached the contact. For a journey: whether the contact has entered. For a list: whether the contact is in it.',
  query: {
    contactId: given('The contact: this, or `email`.'),
    email: given('The address of the contact; trimmed and lower-cased.'),
    journeyId: given('A journey.'),
    emailId: given('An email: one that journeys send, or that was sent by itself.'),
    messageId: given('One message.'),
    dynamicListId: given('A dynamic list.'),
    staticListId: given('A static list.'),
  },
  snakeCase: true,
  data: Named('Why', {
    holds: Type.Boolean({ description: 'True: the contact got it, entered it, is in it.' }),
    sentence: Type.String({ description: 'The answer, with the main reason.' }),
    about: Named('WhyThing', {
      kind: Words(whyThings),
      id: Type.String(),
      name: Nullable(
        Type.String({ description: 'For a message its subject, else the name of the email. Null: unknown.' }),
      ),
    }),
    contact: Named('WhyContact', {
      contactId: ContactId(),
      email: Type.String(),
      name: Type.String({ description: 'First and last name, as far as they are known; else the address.' }),
    }),
    evidence: Type.Array(
      Named('WhyEvidence', {
        at: Nullable(
          Type.String({ format: 'date-time', description: 'When that happened, or will. Null: no such moment.' }),
        ),
        holds: Type.Boolean({ description: 'False for a reason against.' }),
        kind: Words(
          evidenceKinds,
          '`message`: one that was made, and what came of it. `suppression`: whether the address gets mail. `mail`: whether any mail leaves. `journey`: whether it runs. `entry`: what starts it, and whether that came. `reentry`: whether the contact may enter again. `enrolment`: how it went. `step`: where the email is sent. `filter`: a condition. `list`: membership. `email`: who sends it at all. `topic`: whether the contact is subscribed to what the email is about.',
        ),
        text: Type.String({ description: 'In plain words.' }),
        fact: Type.Optional(WhyFact),
        ref: Type.Optional(
          Named('WhyRef', { kind: Words(evidenceRefs), id: Type.String() }, 'What to look at for more.'),
        ),
      }),
      { description: 'The main reason comes first.' },
    ),
  }),
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002'],
  example: {
    query: { contactId, emailId },
    data: {
      holds: true,
      sentence:
        'Ada Lovelace got “Welcome” on 15 November 2026: the journey “Onboarding” sent it, because they did “signed_up”.',
      about: { kind: 'email', id: emailId, name: 'Welcome' },
      contact: { contactId, email: 'ada@example.com', name: 'Ada Lovelace' },
      evidence: [
        {
          at: '2026-11-15T09:30:00.210Z',
          holds: true,
          kind: 'message',
          text: 'The mail server accepted it.',
          ref: { kind: 'message', id: messageId },
        },
        {
          at: '2026-11-15T09:30:00.000Z',
          holds: true,
          kind: 'enrolment',
          text: 'They did “signed_up”.',
          ref: { kind: 'journey', id: journeyId },
        },
      ],
    },
  },
});

export const whyRoutes = [why] as const;
