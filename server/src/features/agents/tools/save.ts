// Drafts: lists, emails and journeys. Nothing here reaches anyone; what a live journey uses is changed by a plan only.
import * as contract from '@rapport/contract';
import { type Static, Type } from 'typebox';
import { ApiError, invalid } from '../../../http/api-error.js';
import { type LiveJourneys, needsPlan, quotedNames } from '../live/live-journeys.js';
import { nearestToFaults } from '../nearest.js';
import type { Drafts } from '../plans/drafts.js';
import { refuseGuessing } from '../refuse-guessing.js';
import { type Annotations, type Session, shape, type ToolAnswer, tool } from '../tool.js';
import { differences } from './differences.js';
import { anyObject, filterInput, plural } from './people.js';

/** Throws what a save would refuse, and saves nothing. Without an id, it is a new one. */
type Try<C extends contract.Route, U extends contract.Route> = (
  by: { tenantId: number; accountId: number },
  body: contract.BodyValue<C> | contract.BodyValue<U>,
  id: string | undefined,
) => Promise<unknown>;

export interface Tries {
  list: Try<typeof contract.createDynamicList, typeof contract.updateDynamicList>;
  email: Try<typeof contract.createEmail, typeof contract.updateEmail>;
  journey: Try<typeof contract.createJourney, typeof contract.updateJourney>;
}

export interface SaveNeeds {
  tries: Tries;
  live: LiveJourneys;
  drafts: Drafts;
  /** What is wrong with the template of an email that is not saved yet. */
  checkEmail(tenantId: number, texts: { subject: string; preheader: string | null; html: string }): Promise<unknown[]>;
}

/** How a change is made: only a plan may touch what a live journey uses. */
export interface Way {
  isPlanned: boolean;
}

const saves: Annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
const dryRun = Type.Optional(Type.Boolean({ description: 'true: check it and show the difference, change nothing' }));
const text = () => Type.Optional(Type.String());
const nullable = () => Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] }));

const savedShape = (id: string) =>
  shape({
    [id]: ['string', 'null'],
    saved: 'boolean',
    differences: 'array',
    faults: 'array',
    warnings: 'array',
    cut: 'string',
  });

export const listFields = {
  dynamicListId: text(),
  name: text(),
  description: nullable(),
  folderId: nullable(),
  filter: Type.Optional(filterInput),
};
const ListInput = Type.Object({ ...listFields, dryRun });

export const saveList = (needs: SaveNeeds) =>
  tool({
    name: 'save_list',
    title: 'Save a dynamic list',
    scopes: ['write'],
    description:
      'Creates a dynamic list, or changes the one with dynamicListId. dryRun: true checks it and shows the difference. The filter of a list that a live journey uses is changed by plan. Example: {"name":"Trials","filter":{"all":[{"property":"plan","is":"trial"}]},"dryRun":true}',
    input: ListInput,
    output: { ...savedShape('dynamicListId') },
    annotations: saves,
    run: (given, session) => changeList(needs, given, session, { isPlanned: false }),
  });

export async function changeList(
  { live, tries }: SaveNeeds,
  { dryRun: isDry = false, dynamicListId, ...body }: Static<typeof ListInput>,
  session: Session,
  { isPlanned }: Way,
): Promise<ToolAnswer> {
  refuseGuessing(session, 'filter', body.filter);
  const { api, caller } = session;
  const params = { id: dynamicListId ?? '' };
  const before = dynamicListId === undefined ? undefined : (await api(contract.getDynamicList, { params })).data;
  const changed = differences(before, body);
  const isRefiltered = before !== undefined && changed.some(({ path }) => path.startsWith('filter'));
  const names = isRefiltered && !isPlanned ? await live.usingList(session, params.id) : [];
  const inUse = `The live ${names.length === 1 ? 'journey' : 'journeys'} ${quotedNames(names)} depends on this list.`;
  if (names.length > 0 && !isDry) throw needsPlan(inUse);
  const count = body.filter
    ? (await api(contract.previewDynamicList, { body: { filter: body.filter } })).data.count
    : undefined;
  const warnings = names.length > 0 ? [`${inUse} It is changed by plan only.`] : [];
  const found = count === undefined ? '' : ` It finds ${plural(count, 'contact')} now.`;
  if (isDry) {
    const read = session.check(before ? contract.updateDynamicList : contract.createDynamicList, { body });
    await tries.list(caller, read, dynamicListId);
    return {
      data: { dynamicListId: dynamicListId ?? null, saved: false, differences: changed, count, faults: [], warnings },
      text: `Nothing was changed: this would change ${plural(changed.length, 'field')}.${found}`,
    };
  }
  const saved =
    dynamicListId === undefined
      ? (await api(contract.createDynamicList, { body })).data
      : (await api(contract.updateDynamicList, { params, body })).data;
  return {
    data: { dynamicListId: saved.dynamicListId, saved: true, differences: changed, count, faults: [], warnings },
    text: `The list is saved.${found}`,
    touched: [`dynamicList:${saved.dynamicListId}`],
  };
}

export const emailFields = {
  emailId: text(),
  name: text(),
  subject: text(),
  preheader: nullable(),
  html: text(),
  design: Type.Optional(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      description: 'blocks instead of html; the resource rapport://docs/designs explains them',
    }),
  ),
  fromEmail: Type.Optional(anyObject('{"email":"news@example.com","name":"Example"}')),
  replyTo: nullable(),
  topicId: nullable(),
  folderId: nullable(),
};
const EmailInput = Type.Object({ ...emailFields, dryRun });

export const saveEmail = (needs: SaveNeeds) =>
  tool({
    name: 'save_email',
    title: 'Save an email',
    scopes: ['write'],
    description:
      'Creates an email, or changes the one with emailId; its content is html, which may use Liquid such as {{ first_name }}, or a design of blocks. dryRun: true checks it and shows the difference. An email that a live journey sends is changed by plan. Example: {"name":"Welcome","subject":"Welcome, {{ first_name }}","html":"<p>Hi</p>","fromEmail":{"email":"news@example.com"},"dryRun":true}',
    input: EmailInput,
    output: savedShape('emailId'),
    annotations: saves,
    run: (given, session) => changeEmail(needs, given, session, { isPlanned: false }),
  });

export async function changeEmail(
  { live, tries, checkEmail }: SaveNeeds,
  { dryRun: isDry = false, emailId, ...body }: Static<typeof EmailInput>,
  session: Session,
  { isPlanned }: Way,
): Promise<ToolAnswer> {
  const { api, caller } = session;
  const params = { id: emailId ?? '' };
  const before = emailId === undefined ? undefined : (await api(contract.getEmail, { params })).data;
  const changed = differences(before, body);
  const use = before && !isPlanned ? await live.useOfEmail(caller.tenantId, params.id) : undefined;
  const inUse = use === undefined ? undefined : use.replace(/ Deactivate or change .*$/, '');
  if (inUse !== undefined && !isDry && changed.length > 0) throw needsPlan(inUse);
  if (isDry) {
    const read = session.check(before ? contract.updateEmail : contract.createEmail, { body });
    const { html: compiled, faults: ofDesign } = await compiledOf(session, body.design);
    const merged = { ...before, ...body };
    const html = compiled ?? merged.html ?? '';
    const texts = { subject: merged.subject ?? '', preheader: merged.preheader ?? null, html };
    const faults = ofDesign.length > 0 ? ofDesign : await checkEmail(caller.tenantId, texts);
    if (faults.length === 0) await tries.email(caller, read, emailId);
    return {
      data: {
        ...{ emailId: emailId ?? null, saved: false, differences: changed, faults },
        warnings: inUse === undefined ? [] : [`${inUse} It is changed by plan only.`],
      },
      text: `Nothing was changed: this would change ${plural(changed.length, 'field')}, with ${plural(faults.length, 'problem')}.`,
    };
  }
  const saved = before
    ? (await api(contract.updateEmail, { params, body })).data
    : (await api(contract.createEmail, { body })).data;
  return {
    data: { emailId: saved.emailId, saved: true, differences: changed, faults: [], warnings: [] },
    text: 'The email is saved. It has not been sent to anyone.',
    touched: [`email:${saved.emailId}`],
  };
}

async function compiledOf({ api }: Session, design: Record<string, unknown> | null | undefined) {
  if (!design) return { html: undefined, faults: [] };
  const { data } = await api(contract.compileEmail, { body: { design } });
  const faults = data.problems.flatMap(({ place, severity, message }) =>
    severity === 'error' ? { path: place, message } : [],
  );
  return { html: data.html, faults };
}

const JourneyInput = Type.Object({
  journeyId: text(),
  name: text(),
  type: Type.Optional(Type.Enum([...contract.journeyTypes])),
  tags: Type.Optional(Type.Array(Type.String())),
  folderId: nullable(),
  definition: Type.Optional(anyObject('entry and steps; the resource rapport://docs/journeys explains them')),
  dryRun,
});

export const saveJourney = (needs: SaveNeeds) =>
  tool({
    name: 'save_journey',
    title: 'Save the draft of a journey',
    scopes: ['write'],
    description:
      'Creates a journey as a draft, or changes the draft of the one with journeyId; of a live journey only the draft changes, until plan and apply publish it. dryRun: true checks it and shows the difference. Example: {"name":"Welcome","type":"trigger","definition":{"entry":{"event":{"eventName":"signed_up"}},"steps":[{"id":"mail","type":"sendEmail","emailId":"019a8b2c4d5e6f708192a3c1"}]}}',
    input: JourneyInput,
    output: savedShape('journeyId'),
    annotations: saves,
    run: (given, session) => changeJourney(needs, given, session),
  });

async function changeJourney(
  { drafts, tries }: SaveNeeds,
  { dryRun: isDry = false, journeyId, ...body }: Static<typeof JourneyInput>,
  session: Session,
): Promise<ToolAnswer> {
  refuseGuessing(session, 'definition', body.definition);
  const { api, caller } = session;
  const params = { id: journeyId ?? '' };
  const before = journeyId === undefined ? undefined : (await api(contract.getJourney, { params })).data;
  const isLive = before?.status === 'active';
  if (isLive) refuseLive(body);
  const draft = isLive ? await drafts.find(caller.tenantId, params.id) : undefined;
  const changed = differences(before && { ...before, ...(draft ? { definition: draft.definition } : {}) }, body);
  const type = body.type ?? before?.type;
  const { faults, warnings } =
    body.definition && type
      ? (await api(contract.checkJourney, { body: { type, definition: body.definition } })).data
      : { faults: [], warnings: [] };
  const nearest = await nearestToFaults(faults, body, session);
  const told = (saved: boolean, id: string | null) => ({
    ...{ journeyId: id, saved, isDraftOfLive: isLive, differences: changed, faults, warnings },
    ...(nearest.length > 0 ? { nearest } : {}),
  });
  const problems = `${plural(faults.length, 'problem')} would keep it from being activated`;
  if (isDry) {
    const read = session.check(before ? contract.updateJourney : contract.createJourney, { body });
    if (!isLive) await tries.journey(caller, read, journeyId);
    return {
      data: told(false, journeyId ?? null),
      text: `Nothing was changed: this would change ${plural(changed.length, 'field')}; ${problems}.`,
    };
  }
  const id = isLive ? params.id : await saveQuiet(session, journeyId, body);
  if (isLive && body.definition) await drafts.save(caller, id, body.definition);
  return {
    data: told(true, id),
    text: `${isLive ? 'The draft is saved; the live journey is unchanged' : 'The journey is saved as a draft'}. ${problems}.`,
    touched: [`journey:${id}`],
  };
}

/** Not live: nobody enters it before it is activated. */
async function saveQuiet({ api }: Session, journeyId: string | undefined, body: object): Promise<string> {
  const params = { id: journeyId ?? '' };
  const { data } =
    journeyId === undefined
      ? await api(contract.createJourney, { body })
      : await api(contract.updateJourney, { params, body });
  return data.journeyId;
}

function refuseLive(body: Omit<Static<typeof JourneyInput>, 'journeyId' | 'dryRun'>): void {
  const { definition, ...others } = body;
  if (Object.keys(others).length > 0)
    throw new ApiError('INVALID_STATE', {
      reason: `The journey is live: only the definition of its draft can be saved, not ${Object.keys(others).join(', ')}. Nothing was changed.`,
    });
  if (!definition) throw invalid('definition', 'is required');
  if (hasSecrets(definition))
    throw new ApiError('INVALID_STATE', {
      reason:
        'Headers of webhook steps of a live journey are set in the console: they may be secrets. Nothing was changed.',
    });
}

/** Headers that are not hidden may be secrets, and drafts are not sealed. */
function hasSecrets({ steps }: Record<string, unknown>): boolean {
  return (Array.isArray(steps) ? steps : []).some((step: { headers?: unknown } | null) =>
    Object.entries(step?.headers ?? {}).some(
      ([name, value]) => !contract.isPlainHeader(name) && value !== contract.hiddenHeader,
    ),
  );
}
