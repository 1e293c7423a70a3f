import { describe, expect, it } from 'vitest';
import { api, faultsOf, type Json, list, many, plan } from '../../../../test/journeys/definitions.js';
import { hook, ofStep, split, wait } from '../../../../test/journeys/one-step.js';

describe('a step', () => {
  it.each<[string, Json, string]>([
    ['has no type', {}, 'definition.steps[0].type: "type" is wanted'],
    ['has a type that there is not', { type: 'sendSms' }, 'definition.steps[0].type: "sendEmail", "delay"'],
    ['has an unknown key', { type: 'delay', for: 'PT1S', until: 1 }, 'definition.steps[0].until: not known here'],
    ['sends nothing', { type: 'sendEmail' }, 'definition.steps[0].emailId: "emailId" is wanted'],
    ['sends what cannot be', { type: 'sendEmail', emailId: 'x' }, 'definition.steps[0].emailId: nothing has this id'],
    [
      'waits for nothing',
      { type: 'delay' },
      'definition.steps[0]: one of "for", "untilTime", "untilLocal", "untilProperty" is wanted',
    ],
    ['waits for two things', { type: 'delay', for: 'PT1S', untilTime: '09:00' }, 'definition.steps[0]: only one of'],
    ['waits for no time', { type: 'delay', for: 'PT0S' }, 'definition.steps[0].for: a duration from one second'],
    ['waits too long', { type: 'delay', for: 'P3651D' }, 'definition.steps[0].for: a duration from one second'],
    [
      'waits for a day that there is not',
      { type: 'delay', untilLocal: '2026-02-30T09:00' },
      'definition.steps[0].untilLocal: a date and a time of day',
    ],
    ['has days without a time', { type: 'delay', for: 'PT1S', days: [1] }, 'definition.steps[0].days: not known here'],
    [
      'has an eighth day',
      { type: 'delay', untilTime: '09:00', days: [8] },
      'definition.steps[0].days[0]: a whole number from 1 to 7',
    ],
    [
      'has a day twice',
      { type: 'delay', untilTime: '09:00', days: [1, 1] },
      'definition.steps[0].days[1]: this weekday is there already',
    ],
    ['has no days', { type: 'delay', untilTime: '09:00', days: [] }, 'definition.steps[0].days: a list of 1 to 7'],
    [
      'has an offset without a property',
      { type: 'delay', untilTime: '09:00', offset: 'PT1S' },
      'definition.steps[0].offset: not known here',
    ],
    ['has no timeout', { ...wait, timeout: undefined }, 'definition.steps[0].timeout: a duration is wanted'],
    [
      'waits for neither',
      { ...wait, branches: [{ next: 'z' }] },
      'definition.steps[0].branches[0]: one of "event", "filter" is wanted',
    ],
    ['has no branches', { ...wait, branches: [] }, 'definition.steps[0].branches: a list of 1 to 10'],
    [
      'has eleven branches',
      { ...wait, branches: many(11, () => wait.branches[0]) },
      'definition.steps[0].branches: a list of 1 to 10',
    ],
    [
      'has 21 cases',
      { type: 'branch', cases: many(21, () => ({ filter: plan, next: 'z' })), otherwise: 'z' },
      'definition.steps[0].cases: a list of 1 to 20',
    ],
    [
      'has a faulty filter',
      { type: 'branch', cases: [{ filter: { property: 'n', gt: 'x' }, next: 'z' }], otherwise: 'z' },
      'definition.steps[0].cases[0].filter.gt: a number is wanted',
    ],
    [
      'has no filter',
      { type: 'branch', cases: [{ next: 'z' }], otherwise: 'z' },
      'definition.steps[0].cases[0].filter: "filter" is wanted',
    ],
    ['has percents that do not sum', split(50, 49), 'definition.steps[0].arms: the percents sum to 99, not to 100'],
    ['has half a percent', split(99.5, 0.5), 'definition.steps[0].arms[0].percent: a whole number from 0 to 100'],
    [
      'has two arms of one name',
      { type: 'split', arms: many(2, () => ({ name: 'a', percent: 50, next: 'z' })) },
      'definition.steps[0].arms[1].name: another arm has this name',
    ],
    [
      'wins by a goal that there is not',
      { ...split(100), winner: { by: 'goal', after: 'P1D', minimum: 1 } },
      'definition.steps[0].winner.by: the definition has no goal',
    ],
    [
      'has no measure to win by',
      { ...split(100), winner: { by: 'clicked', after: 'P1D', minimum: 0 } },
      'definition.steps[0].winner.minimum: a whole number from 1',
    ],
    [
      'sets what the service keeps',
      { type: 'updateProperty', property: 'unsubscribed', value: true },
      'definition.steps[0].property: the service keeps this property itself',
    ],
    [
      'updates to a list',
      { type: 'updateProperty', property: 'a', value: [1] },
      'definition.steps[0].value: a text, a number',
    ],
    [
      'updates to an object',
      { type: 'updateProperty', property: 'a', value: { entry: 'a', b: 1 } },
      'definition.steps[0].value: a text, a number',
    ],
    [
      'copies from too deep',
      { type: 'updateProperty', property: 'a', value: { entry: ['1', '2', '3', '4', '5', '6'] } },
      'definition.steps[0].value.entry: a list of 1 to 5 keys',
    ],
    [
      'calls a file',
      { ...hook, url: 'file:///etc/passwd' },
      'definition.steps[0].url: an address that begins with https://',
    ],
    [
      'calls with a password',
      { ...hook, url: 'https://a:b@example.com' },
      'definition.steps[0].url: an address without a user',
    ],
    [
      'calls too long',
      { ...hook, timeout: 'PT31S' },
      'definition.steps[0].timeout: a webhook is waited for at most 30 seconds',
    ],
    [
      'writes Host',
      { ...hook, headers: { hOST: 'x' } },
      'definition.steps[0].headers["hOST"]: the service writes this header itself',
    ],
    [
      'signs itself',
      { ...hook, headers: { 'Webhook-Signature': 'x' } },
      'definition.steps[0].headers["Webhook-Signature"]: the service writes',
    ],
    [
      'breaks a header',
      { ...hook, headers: { 'x-a': 'a\r\nb: c' } },
      'definition.steps[0].headers["x-a"]: a text of 1 to 1,024 visible',
    ],
    [
      'has a header twice',
      { ...hook, headers: { 'x-a': 'a', 'X-A': 'b' } },
      'definition.steps[0].headers["X-A"]: this header is there already',
    ],
    [
      'has 21 headers',
      { ...hook, headers: Object.fromEntries(many(21, (i) => [`x-${i}`, 'v'])) },
      'definition.steps[0].headers: at most 20',
    ],
    ['gets with a body', { ...hook, method: 'GET', body: 'x' }, 'definition.steps[0].body: a GET has no body'],
    ['has too long a body', { ...hook, body: 'x'.repeat(65_537) }, 'definition.steps[0].body: a text of 1 to 65,536'],
    [
      'emits too much',
      { type: 'emitEvent', eventName: 'a', properties: { a: 'x'.repeat(32_768) } },
      'definition.steps[0].properties: the properties of an event have at most 32 KiB',
    ],
    ['goes to nothing', { type: 'delay', for: 'PT1S', next: 'y' }, 'definition.steps[0].next: no step has this id'],
    [
      'goes to a number',
      { type: 'delay', for: 'PT1S', next: 1 },
      'definition.steps[0].next: the id of a step is wanted',
    ],
    ['goes on after an exit', { type: 'exit', next: 'z' }, 'definition.steps[0].next: nothing comes after an exit'],
  ])('is refused where it %s', (_, step, fault) => {
    const [first] = ofStep(step);
    expect(first?.slice(0, fault.length)).toBe(fault);
  });

  it.each(['', 'a b', 'ä', 'x'.repeat(65), 7, null])('is refused the id %s', (id) => {
    expect(ofStep({ id, type: 'delay', for: 'PT1S' })).toEqual([
      'definition.steps[0].id: an id of 1 to 64 letters, digits, _ and - is wanted',
    ]);
  });

  it.each([batch(), api])('has no entry event where no event starts the journey', (entry) => {
    const type = 'audience' in entry ? 'batch' : 'trigger';
    const update = { id: 'a', type: 'updateProperty', property: 'a', value: { entry: 'b' } };
    const [fault] = faultsOf({ entry, steps: [update] }, type);
    expect(fault).toBe('definition.steps[0].value.entry: only a journey that an event starts has an entry event');
  });
  function batch() {
    return { audience: { staticListId: list } };
  }
});
