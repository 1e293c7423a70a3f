// A mail with the figures of the week, for people who want it.
import { Type } from 'typebox';
import { onlyV2, route } from './route.js';
import { Instant, Named, Nullable, Words } from './schema.js';

const TimeZone = Type.String({
  maxLength: 64,
  description: 'Whose Monday morning: a name such as `Europe/Berlin`.',
});

const WeeklySummary = Named(
  'WeeklySummary',
  {
    isOn: Type.Boolean(),
    timeZone: TimeZone,
    nextAt: Nullable(Instant, 'When the next one leaves; null while it is off.'),
    address: Nullable(Type.String({ description: 'Where it goes: the address that the person signs in with.' })),
    obstacle: Nullable(
      Words(
        ['noAddress', 'noMailServer'],
        'Why it cannot be switched on: the account is a program’s, or the service has no mail server of its own.',
      ),
    ),
  },
  'Of the account that asks.',
);

const path = '/me/weekly-summary';
const off = {
  ...{ isOn: false, timeZone: 'Europe/Berlin', nextAt: null },
  ...{ address: 'ada@example.com', obstacle: null },
};

export const getWeeklySummary = route({
  id: 'getWeeklySummary',
  tag: 'Workspace',
  method: 'GET',
  path,
  versions: onlyV2,
  summary: 'Read whether you get the weekly summary',
  description:
    'The summary has the figures of the week from Monday to Sunday and leaves on Monday at 8:00 in the time zone.',
  data: WeeklySummary,
  paged: false,
  errors: [],
  example: { data: off },
});

export const setWeeklySummary = route({
  id: 'setWeeklySummary',
  tag: 'Workspace',
  method: 'PUT',
  path,
  versions: onlyV2,
  scope: 'READ',
  summary: 'Get the weekly summary, or no longer',
  description: 'Only of the account that asks; so the READ scope is enough. Off until switched on.',
  body: Type.Object(
    {
      isOn: Type.Boolean(),
      timeZone: Type.Optional(
        Type.String({ ...TimeZone, description: 'Unset: as before, else that of the workspace, else UTC.' }),
      ),
    },
    { additionalProperties: false },
  ),
  data: WeeklySummary,
  paged: false,
  errors: ['INVALID_STATE'],
  example: {
    body: { isOn: true, timeZone: 'Europe/Berlin' },
    data: { ...off, isOn: true, nextAt: '2026-11-23T07:00:00.000Z' },
  },
});

export const weeklySummaryRoutes = [getWeeklySummary, setWeeklySummary] as const;
