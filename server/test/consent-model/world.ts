// The service as the consent model sees it: a tenant with topics, forms and emails, and everything that can be said of a topic.
import { expect } from 'vitest';
import { sql } from '../../src/db/sql.js';
import type { TestApp } from '../app.js';
import { countsOf, logOf, makeTopic, statesOf } from '../consent.js';
import { makeEmail } from '../emails.js';
import { hasEnded, startJourney, untilEnrolment } from '../enrolments.js';
import { makeForm, postJson, urlencoded } from '../forms.js';
import { eventually, type Mailer, makeMailer } from '../messages.js';
import { type Asked, type Contact, Model, type ModelTopic } from './model.js';

export const topics: readonly ModelTopic[] = [
  { key: 'plain', byDefault: 'unsubscribed', doubleOptIn: false },
  { key: 'asks', byDefault: 'unsubscribed', doubleOptIn: true },
  { key: 'on', byDefault: 'subscribed', doubleOptIn: false },
];
export const formTopics: readonly (readonly string[])[] = [['plain', 'asks'], ['on'], ['plain'], ['asks', 'on']];
export const people = ['a@model.example', 'b@model.example'];

type Word = 'subscribed' | 'unsubscribed';
const html = '<a href="{{preferences_url}}">p</a><a href="{{unsubscribe_url}}">u</a>';

export class World {
  readonly model = new Model(topics);
  private readonly idOf = new Map<string, string>();
  private readonly links = new Map<Asked, string>();
  /** Links of mails that left: by address, and by address and topic. */
  private readonly preferences = new Map<string, string>();
  private readonly unsubscribes = new Map<string, string>();

  private constructor(
    private readonly t: TestApp,
    private readonly tenant: Mailer,
    private readonly topicIds: ReadonlyMap<string, string>,
    private readonly emailIds: ReadonlyMap<string, string>,
    private readonly forms: readonly { formId: string; path: string }[],
  ) {}

  static async make(t: TestApp): Promise<World> {
    const tenant = await makeMailer(t, { html });
    const topicIds = new Map<string, string>();
    const emailIds = new Map<string, string>();
    for (const { key, byDefault, doubleOptIn } of topics) {
      const topicId = await makeTopic(tenant, key, { byDefault, doubleOptIn });
      topicIds.set(key, topicId);
      const emailId = await makeEmail(tenant, { name: key, html });
      await tenant.patch(`/v2/emails/${emailId}`, { topicId });
      emailIds.set(key, emailId);
    }
    const forms = [];
    for (const keys of formTopics)
      forms.push(await makeForm(tenant, { topicIds: keys.map((key) => topicIds.get(key)) }));
    return new World(t, tenant, topicIds, emailIds, forms);
  }

  private async findId(address: string): Promise<string | undefined> {
    if (!this.model.contacts.has(address)) return undefined;
    const known = this.idOf.get(address);
    if (known !== undefined) return known;
    const { id } = (await this.tenant.get(`/v2/contacts/by-email/${address}`)).body.data;
    this.idOf.set(address, id);
    return id;
  }

  async submit(address: string, form: number): Promise<void> {
    const { path, formId } = this.forms[form] as { formId: string; path: string };
    const keys = formTopics[form] as readonly string[];
    const sent = await postJson(this.t, path, { email: address });
    const asks = topics.some(({ key, doubleOptIn }) => doubleOptIn && keys.includes(key));
    expect(sent.body).toEqual({ ok: true, pending: asks });
    const expected = this.model.submit(address, keys);
    const row = await eventually(
      async () => (await this.tenant.get(`/v2/forms/${formId}/submissions?pageSize=1`)).body.data[0],
      ({ contactId }) => contactId !== null,
    );
    expect(row.outcome).toBe(expected.outcome);
    const stored = await this.t.db.row(sql<{ messageId: string | null }>`
      select message_id as "messageId" from form_submission where submission_id = ${row.submissionId}`);
    expect(stored?.messageId !== null).toBe(expected.asked !== null);
    if (expected.asked) this.links.set(expected.asked, await this.linkIn(stored?.messageId as string, 'y'));
  }

  /** Waits until a message has left. */
  private async linkIn(messageId: string, kind: string): Promise<string> {
    const read = () =>
      this.t.db.row(sql<{ html: string }>`select html from outbox_message where message_id like ${`<${messageId}@%`}`);
    const row = await eventually(read, (found) => found !== undefined);
    return new RegExp(`/t/${kind}/[\\w-]+`).exec(row?.html ?? '')?.[0] ?? '';
  }

  async confirm(which: number): Promise<void> {
    const asked = this.model.asked[which % Math.max(1, this.model.asked.length)];
    if (!asked) return;
    const link = this.links.get(asked) as string;
    // A scanner comes first.
    await this.t.anonymous.get(link);
    const { status } = await this.t.anonymous.post(link, '', urlencoded);
    expect(status === 200 || status === 404 || status === 410).toBe(true);
    this.model.confirm(asked);
  }

  async put(address: string, key: string, state: Word): Promise<void> {
    const id = await this.findId(address);
    if (id === undefined) return;
    const reply = await this.tenant.put(`/v2/contacts/${id}/topics/${this.topicIds.get(key)}`, { state });
    expect(reply.body.data.state).toBe(state);
    this.model.say(address, key, state, 'api');
  }

  async write(address: string, key: string, state: Word): Promise<void> {
    const contacts = [{ email: address, topics: { [key]: state } }];
    await this.tenant.done(await this.tenant.post('/v2/contacts/batch', { contacts }));
    this.model.say(address, key, state, 'api');
  }

  async import(address: string, key: string, state: Word): Promise<void> {
    const file = `email,topic:${key}\n${address},${state === 'subscribed' ? 'yes' : 'no'}\n`;
    const csv = { 'content-type': 'text/csv' };
    const done = await this.tenant.done(await this.tenant.post('/v2/contacts/import', file, csv));
    const verdict = this.model.say(address, key, state, 'import');
    expect(done.kept ?? 0).toBe(verdict === 'kept' ? 1 : 0);
  }

  async journey(address: string, key: string, state: Word): Promise<void> {
    const id = await this.findId(address);
    if (id === undefined) return;
    const steps = [{ id: 'set', type: 'setTopic', topicId: this.topicIds.get(key), state }];
    const journeyId = await startJourney(this.tenant, { entry: { api: true }, steps });
    await this.tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [id] });
    await untilEnrolment(this.tenant, journeyId, hasEnded);
    this.model.say(address, key, state, 'journey');
  }

  async send(address: string, key: string): Promise<void> {
    const contactId = await this.findId(address);
    if (contactId === undefined) return;
    const emailId = this.emailIds.get(key);
    const messageId = await this.tenant.queue({ emailId, contactId });
    const { state, reason } = await this.tenant.until(messageId, 'sent', 'skipped');
    const expected = this.model.skipReason(address, key);
    expect([state, state === 'skipped' ? reason : undefined]).toEqual([expected ? 'skipped' : 'sent', expected]);
    if (!expected) this.unsubscribes.set(address + key, await this.linkIn(messageId, 'u'));
  }

  async oneClick(address: string, key: string, isUndo: boolean): Promise<void> {
    const link = this.unsubscribes.get(address + key);
    if (link === undefined) return;
    await this.t.anonymous.get(link);
    const body = isUndo ? 'undo=1' : 'List-Unsubscribe=One-Click';
    expect((await this.t.anonymous.post(link, body, urlencoded)).status).toBe(200);
    if (isUndo) this.model.say(address, key, 'subscribed', 'page');
    else this.model.say(address, key, 'unsubscribed', 'oneClick');
  }

  /** Touches these topics on the preference page, and everything if told so. */
  async page(address: string, keys: readonly string[], isAll: boolean): Promise<void> {
    const contactId = await this.findId(address);
    if (contactId === undefined) return;
    if (!this.preferences.has(address)) {
      const messageId = await this.tenant.queue({ contactId, transactional: true });
      await this.tenant.until(messageId, 'sent');
      this.preferences.set(address, await this.linkIn(messageId, 'p'));
    }
    const link = this.preferences.get(address) as string;
    const shown = (await this.t.anonymous.get(link)).text;
    const boxes = [...shown.matchAll(/name="on" value="(\w+)"( checked)?/g)].map(([, id, on]) => [id, !!on] as const);
    const touched = new Set([...keys.map((key) => this.topicIds.get(key)), ...(isAll ? ['all'] : [])]);
    const fields = new URLSearchParams(boxes.map(([id, on]): [string, string] => ['was', `${id}:${on ? 1 : 0}`]));
    for (const [id, on] of boxes) if (on !== touched.has(id)) fields.append('on', id as string);
    expect((await this.t.anonymous.post(link, fields.toString(), urlencoded)).status).toBe(200);
    // In the order of the page.
    for (const key of [...keys].sort()) {
      const isOn = this.model.stateOf(address, key) === 'subscribed';
      this.model.say(address, key, isOn ? 'unsubscribed' : 'subscribed', 'page');
    }
    if (isAll && !this.model.comeBack(address)) this.model.gone.add(address);
  }

  async erase(address: string): Promise<void> {
    const id = await this.findId(address);
    if (id === undefined) return;
    await this.tenant.done(await this.tenant.delete(`/v2/contacts/${id}`));
    this.model.erase(address);
    this.idOf.delete(address);
    this.preferences.delete(address);
    for (const { key } of topics) this.unsubscribes.delete(address + key);
  }

  async compare(): Promise<void> {
    for (const address of this.model.contacts.keys()) {
      const id = (await this.findId(address)) as string;
      expect(await statesOf(this.tenant, id)).toEqual(this.model.statesOf(address));
      const { log, restored } = this.model.contacts.get(address) as Contact;
      expect(inAnyOrder(await logOf(this.tenant, id), restored)).toEqual(inAnyOrder(log, restored));
    }
    for (const [key, topicId] of this.topicIds)
      expect([key, ...(await countsOf(this.tenant, topicId))]).toEqual([key, ...this.model.countsOf(key)]);
    const { data } = (await this.tenant.get('/v2/suppressions')).body;
    const found = data.map((row: { email: string }) => row.email).filter((email: string | null) => email !== null);
    const named = [...this.model.gone].filter((address) => !this.model.nameless.has(address));
    expect(found.sort()).toEqual(named.sort());
  }
}

/** What came back with the address came at once: its order says nothing. */
function inAnyOrder(log: readonly (readonly [string, string])[], first: number): (readonly [string, string])[] {
  return [...log.slice(0, first).sort(), ...log.slice(first)];
}
