// What the documents show of a definition is what the reader takes.

import { buildOpenApi, type FieldKind, journeyLimits, stepRow, stepTypes } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { validatorOf } from '../../../test/openapi/conformance.js';
import { Subjects } from '../filter-language/index.js';
import { readDefinition } from './definition/read.js';

// biome-ignore lint/suspicious/noExplicitAny: the test walks a JSON document.
const document: any = buildOpenApi('v2', 'http://127.0.0.1:8080');
const isDocumented = validatorOf(document.components.schemas.JourneyDefinition, document);
const subjects = new Subjects([]);
const id = '019a8b2c4d5e6f708192a3c1';
const filter = { property: 'plan', is: 'pro' };
const exit = { id: 'end', type: 'exit' };
const event = { eventName: 'ordered', where: { eventProperty: 'total', gt: 5 } };

const triggers = [
  { event },
  { joined: { staticListId: id } },
  { joined: { dynamicListId: id } },
  { left: { dynamicListId: id } },
  { propertyChanged: { property: 'plan', from: 'free', to: 'pro' } },
  { topic: { topicId: id, becomes: 'pending' } },
  { form: { formId: id } },
  { date: { property: 'birthday', offset: '-P7D', at: '09:00', yearly: true } },
  { api: true },
];
const batches = [
  { audience: { dynamicListId: id } },
  { audience: { staticListId: id }, schedule: { at: '2099-01-01' } },
  { audience: { staticListId: id }, schedule: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' } },
];
// One of every kind.
const samples: Record<FieldKind, unknown> = {
  ...{ email: id, staticList: id, journey: id, triggerJourney: id, topic: id, topicState: 'unsubscribed' },
  ...{ duration: 'PT5S', offset: '-P1D', timeOfDay: '09:00', localTime: '2026-11-20T09:00', weekdays: [1, 3] },
  ...{ propertyKey: 'plan', value: { entry: 'plan' }, eventName: 'told', eventProperties: { deep: [1] }, flag: true },
  ...{ text: 'bought', url: 'https://example.com/', method: 'PUT', headers: { a: 'b' }, template: '{}', way: 'end' },
  branches: [
    { event: { eventName: 'paid', where: { eventProperty: 'order', is: { entry: ['order', 'id'] } } }, next: 'end' },
    { filter, next: null },
  ],
  cases: [{ filter, next: 'end' }],
  arms: [
    { name: 'a', percent: 50, next: 'end' },
    { name: 'b', percent: 50, next: null },
  ],
  winner: { by: 'clicked', after: 'P1D', minimum: 100 },
};
const everyField = Object.assign({}, ...stepTypes.map((type) => stepRow(type).fields)) as Record<string, FieldKind>;
const filled = (fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, samples[everyField[field] as FieldKind]]));
const forms = stepTypes.flatMap((type) => stepRow(type).forms.map(({ needs, takes }) => ({ type, needs, takes })));
const steps = [
  ...forms.flatMap(({ type, needs, takes }) => [
    { type, ...filled(needs) },
    { type, ...filled([...needs, ...takes]) },
  ]),
  { type: 'updateProperty', property: 'plan', value: null },
  { type: 'delay', for: 'P2D', next: null },
  { type: 'delay', name: 'Two days', for: 'P2D' },
  { type: 'exit', name: 'x'.repeat(journeyLimits.stepName) },
];
/** Of every form: without one of the fields that it needs, and with one that it does not take. */
const unfit = forms.flatMap(({ type, needs, takes }) => [
  ...needs.map((field) => ({ type, ...filled(needs.filter((one) => one !== field)) })),
  ...Object.keys(everyField)
    .filter((field) => !needs.includes(field) && !takes.includes(field))
    .map((field) => ({ type, ...filled([...needs, field]) })),
]);
const rest = [
  { exitWhen: filter, goal: { filter, exit: true } },
  { reentry: 'afterExit', cap: { messages: 2, per: 'P7D' }, holdout: 10 },
  { reentry: { after: 'P30D' }, window: { days: [1], from: '09:00', to: '18:00', timeZone: 'contact' } },
];

// `end` follows by itself where nothing else leads there.
const withStep = (step: { type: string; next?: unknown }) => ({
  entry: { event },
  steps: [
    { id: 'first', ...step, ...(step.next === null ? { next: 'end' } : {}) },
    ...(step.type === 'exit' ? [] : [exit]),
  ],
});
const taken: [type: 'batch' | 'trigger', definition: unknown][] = [
  ...triggers.map((entry) => ['trigger', { entry, steps: [exit] }] as const),
  ...batches.map((entry) => ['batch', { entry, steps: [exit] }] as const),
  ...steps.map((step) => ['trigger', withStep(step)] as const),
  ...rest.map((more) => ['trigger', { entry: { api: true }, steps: [exit], ...more }] as const),
].map(([type, definition]) => [type, definition]);

describe('the documents and the reader', () => {
  it.each(taken)('take the same: %s, %j', (type, definition) => {
    expect(isDocumented(definition), JSON.stringify(isDocumented.errors)).toBe(true);
    expect(readDefinition(definition, type, subjects).steps.length).toBeGreaterThan(0);
  });

  it.each(unfit)('refuse the same step: %j', (step) => {
    const definition = { entry: { event }, steps: [{ id: 'first', ...step }, exit] };
    expect(isDocumented(definition)).toBe(false);
    expect(() => readDefinition(definition, 'trigger', subjects)).toThrow('definition.steps[0]');
  });

  it.each([
    {},
    { entry: { api: true } },
    { entry: { api: false }, steps: [exit] },
    { entry: { api: true, event }, steps: [exit] },
    { entry: { api: true }, steps: [] },
    { entry: { api: true }, steps: [{ id: 'no blanks', type: 'exit' }] },
    { entry: { api: true }, steps: [{ id: 'end', type: 'leave' }] },
    { entry: { api: true }, steps: [{ ...exit, name: '' }] },
    { entry: { api: true }, steps: [{ ...exit, name: 7 }] },
    { entry: { api: true }, steps: [{ ...exit, name: 'x'.repeat(journeyLimits.stepName + 1) }] },
    { entry: { api: true }, steps: [{ ...exit, emailId: id }] },
    { entry: { api: true }, steps: [exit], holdout: 51 },
    { entry: { api: true }, steps: [exit], unknown: 1 },
    { entry: { topic: { topicId: id } }, steps: [exit] },
    { entry: { topic: { topicId: id, becomes: 'other' } }, steps: [exit] },
    { entry: { api: true }, steps: [{ id: 'set', type: 'setTopic', topicId: id, state: 'pending' }] },
  ])('refuse the same: %j', (definition) => {
    expect(isDocumented(definition)).toBe(false);
    expect(() => readDefinition(definition, 'trigger', subjects)).toThrow('definition');
  });
});
