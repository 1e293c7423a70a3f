// What statistics of journeys and emails answer, each number with its meaning. Counts of messages and rates are in figures.ts.
import { type TOptional, type TProperties, Type } from 'typebox';
import { Rates, statsCounts } from './figures.js';
import { journeyStatuses, journeyTypes } from './journeys.js';
import { AssetId, Count, Instant, Named, Nullable, Words } from './schema.js';

function optional<P extends TProperties>(properties: P) {
  const all = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(all) as { [K in keyof P]: TOptional<P[K]> };
}

/** What happened to the contacts that entered a journey. */
export const passageCounts = {
  entered: Count('Times that a contact entered in the window.'),
  completed: Count('Times that a contact reached the end of it in the window.'),
  exited: Count('Times that a contact left it before the end in the window.'),
  inProgress: Count('Contacts in it now, whatever the window.'),
};

const goalCounts = {
  entered: Count('Times that a contact entered in the window.'),
  reachedGoal: Count('Times that a contact reached the goal in the window.'),
  goalRate: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'reachedGoal / entered; 0 if no contact entered, never more than 1.',
  }),
};

const EmailFigures = Named('JourneyEmailStats', {
  emailId: AssetId(),
  name: Type.String({ description: 'For a deleted email, the name that it had.' }),
  ...statsCounts,
  rates: Rates,
});

const StepFigures = Named(
  'JourneyStepStats',
  {
    stepId: Type.String(),
    name: Type.Optional(Type.String({ description: 'What people call the step, if it has a name.' })),
    type: Type.String({ description: 'As in the definition, such as `sendEmail`.' }),
    entered: Count('Times that a contact came to the step in the window.'),
    left: Count('Times that a contact left the step in the window.'),
    inProgress: Count('Contacts there now, whatever the window.'),
    ...optional(statsCounts),
  },
  'The counts of messages are those of the messages that the step sent; only steps of type `sendEmail` have them.',
);

const ArmFigures = Named('JourneyArmStats', {
  name: Type.String(),
  ...goalCounts,
  entered: Count('Times that a contact took the arm in the window.'),
  reachedGoal: Count('Times that a contact reached the goal in the window after it took the arm.'),
  ...statsCounts,
  rates: Rates,
});

const SplitDecision = Named(
  'JourneySplitDecision',
  {
    decidedAt: Instant,
    isSignificant: Nullable(
      Type.Boolean({
        description:
          'Better than every other arm with 95% confidence. False: three times `after` had passed, and the best arm was taken although the difference was not significant. Null: decided by a version that did not check.',
      }),
    ),
    against: Nullable(Type.String({ description: 'The arm that came closest; null if there was no other.' })),
    difference: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'The rate of the winner − that of `against`, at that moment.',
      }),
    ),
    interval: Nullable(
      Type.Array(Type.Number({ minimum: -1, maximum: 1 }), {
        minItems: 2,
        maxItems: 2,
        description: 'Where the true difference lies with 95% confidence (Newcombe): from, to.',
      }),
    ),
  },
  'How sure it was when the winner was chosen.',
);

const SplitFigures = Named('JourneySplitStats', {
  stepId: Type.String(),
  winner: Nullable(Type.String({ description: 'The arm that was found to do best; null while none was.' })),
  decision: Nullable(SplitDecision),
  arms: Type.Array(ArmFigures, {
    description: 'Side by side. The counts of messages are those that contacts of the arm got after the split.',
  }),
});

const Group = Named('GoalFigures', goalCounts);
const holdoutEffect = {
  treated: Group,
  held: Group,
  difference: Nullable(
    Type.Number({
      minimum: -1,
      maximum: 1,
      description: 'goalRate of the treated − goalRate of the held; null while one of the two groups is empty.',
    }),
  ),
  interval: Nullable(
    Type.Array(Type.Number({ minimum: -1, maximum: 1 }), {
      minItems: 2,
      maxItems: 2,
      description: 'Where the true difference lies with 95% confidence: from, to. Null if `difference` is.',
    }),
  ),
  lift: Nullable(
    Type.Number({
      minimum: -1,
      description:
        'goalRate of the treated / goalRate of the held − 1; null if the latter is 0, or `difference` is null.',
    }),
  ),
  method: Words(
    ['newcombe'],
    'How the interval was made: Newcombe’s hybrid score interval (Wilson), method 10 of Newcombe 1998, without a correction for continuity.',
  ),
};
const effectText = 'The effect of a journey’s messages: contacts that get them compared with those held out at random.';
const HoldoutFigures = Named(
  'JourneyHoldoutStats',
  {
    percent: Type.Integer({ minimum: 0, maximum: 50, description: 'For contacts that get no message.' }),
    ...holdoutEffect,
  },
  effectText,
);

const reachedGoal = Count('Times that a contact reached the goal in the window.');
const journeyFigures = { ...statsCounts, rates: Rates, ...passageCounts };

export const JourneyStats = Named('JourneyStats', {
  journeyId: AssetId(),
  name: Type.String(),
  ...journeyFigures,
  reachedGoal,
  emails: Type.Array(EmailFigures, { description: 'Each email that a step sends, or sent in an earlier version.' }),
  steps: Type.Array(StepFigures, {
    description: 'Those of the live version in their order, then those of earlier versions that have figures.',
  }),
  splits: Type.Array(SplitFigures),
  holdout: Nullable(HoldoutFigures),
});

export const JourneyStatsRow = Named('JourneyStatsRow', {
  journeyId: AssetId(),
  name: Type.String(),
  type: Words(journeyTypes),
  status: Words(journeyStatuses),
  ...journeyFigures,
  reachedGoal,
  goalRate: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'reachedGoal / entered, those of the holdout included, never more than 1. Null: it has no goal.',
    }),
  ),
  holdout: Nullable(
    Named('JourneyHoldoutEffect', holdoutEffect, `${effectText} Null if no contact in the window was held out.`),
  ),
});
export const JourneyStatsTotals = Named(
  'JourneyStatsTotals',
  { ...journeyFigures, reachedGoal },
  'The sums of the rows; the rates are computed from the sums.',
);
export const JourneyRollup = Named('JourneyRollup', {
  journeys: Type.Array(JourneyStatsRow, { description: 'One for each journey that matches, newest first.' }),
  totals: JourneyStatsTotals,
});

const VersionFigures = Named('EmailVersionStats', { ...statsCounts, rates: Rates });
export const linkCounts = {
  clicked: statsCounts.clicked,
  uniqueClicked: Count('Messages by the time of the first click by a person on this address.'),
  machineClicked: statsCounts.machineClicked,
};
const LinkFigures = Named('EmailLinkStats', {
  url: Type.String({
    description: 'Where it leads. Only the beginning, if only erased contacts clicked it.',
  }),
  ...linkCounts,
});
const SeriesPart = Named('StatsSeriesPart', { time: Instant, ...statsCounts });

export const EmailStats = Named('EmailStats', {
  emailId: AssetId(),
  name: Type.String(),
  ...statsCounts,
  rates: Rates,
  defaultSent: Count('Those of `sent` with the email’s own content.'),
  personalizedSent: Count('Those of `sent` with a version for the contact.'),
  versions: Named('EmailVersionsStats', {
    default: VersionFigures,
    personalized: VersionFigures,
  }),
  languages: Type.Optional(
    Type.Array(
      Named('EmailLanguageStats', {
        language: Nullable(Type.String({ description: 'Null: the email’s own.' })),
        ...statsCounts,
        rates: Rates,
      }),
      {
        description:
          'By the language that messages were sent in, whichever the email has now. Left out where there was only its own.',
      },
    ),
  ),
  links: Type.Array(LinkFigures, { description: 'Most clicked first, at most 1000.' }),
  series: Type.Array(SeriesPart, {
    description:
      'By `interval`, oldest first; only parts in which something happened, and the newest 2000 of them. `time` is when the part begins.',
  }),
});

const Became = Named(
  'ConsentChanges',
  {
    subscribed: Count('Contacts who became subscribed; one may do so again and again.'),
    unsubscribed: Count('Contacts who became unsubscribed.'),
    pending: Count('Contacts who were asked by mail.'),
  },
  'Changes by the time at which they were said, as consent logs have them. Logs of erased contacts are gone.',
);

export const TopicStats = Named('TopicStats', {
  topicId: AssetId(),
  name: Type.String(),
  ...statsCounts,
  rates: Rates,
  became: Became,
  series: Type.Array(
    Named('TopicStatsPart', {
      time: Instant,
      ...statsCounts,
      became: Became,
    }),
    {
      description:
        'By `interval`, oldest first; only parts in which something happened, and the newest 2000 of them. `time` is when the part begins.',
    },
  ),
});
