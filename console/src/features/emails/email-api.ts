// What the pages about emails ask of the API.
import type { Answer, Client } from '@rapport/client';
import type { BodyValue, DataValue } from '@rapport/contract';
import * as contract from '@rapport/contract';
import { allOf } from '../../api.ts';

export type Email = DataValue<typeof contract.getEmail>;
export type EmailPatch = BodyValue<typeof contract.updateEmail>;
export type EmailRow = DataValue<typeof contract.listEmails>;
export type EmailSort = '-createdAt' | 'name' | '-updatedAt';
export type Contact = DataValue<typeof contract.listContacts>;
export type Preview = DataValue<typeof contract.previewEmail>;
export type Problem = Preview['problems'][number];
export type Version = DataValue<typeof contract.listVersions>;
export type Arrival = DataValue<typeof contract.listEmailActivity>;
export type Variable = DataValue<typeof contract.listVariables>;
export type SaveRow = DataValue<typeof contract.listEmailHistory>;
export type Save = DataValue<typeof contract.getEmailRevision>;
export type EmailStats = DataValue<typeof contract.getEmailStats>;
export type SendingDomain = DataValue<typeof contract.listWorkspaceDomains>;

export const fetchEmail = (api: Client, id: string): Promise<Answer<Email>> =>
  api.call(contract.getEmail, { params: { id } });

export const patchEmail = (api: Client, id: string, body: EmailPatch, ifMatch?: string | null) =>
  api.call(contract.updateEmail, { params: { id }, body, ifMatch });

export const removeEmail = (api: Client, id: string) => api.call(contract.deleteEmail, { params: { id } });

export interface DraftTexts {
  subject: string;
  preheader: string;
  html: string;
}

/** What is stored takes a reader; only text that is not saved yet takes somebody who may write. */
export async function fetchPreview(
  api: Client,
  id: string,
  { contactId, draft }: { contactId: string | undefined; draft: DraftTexts | undefined },
  signal: AbortSignal,
): Promise<Preview> {
  const params = { id };
  if (draft) return (await api.call(contract.previewEmail, { params, body: { contactId, draft }, signal })).data;
  return (await api.call(contract.previewSavedEmail, { params, query: { contactId }, signal })).data;
}

export const sendTest = async (api: Client, id: string, body: BodyValue<typeof contract.testSendEmail>) =>
  (await api.call(contract.testSendEmail, { params: { id }, body })).data;

export const fetchActivity = (api: Client, id: string, outcome: Arrival['outcome'] | undefined, pageNumber: number) =>
  api.page(contract.listEmailActivity, { params: { id }, query: { outcome: outcome && [outcome], pageNumber } });

export const fetchVersions = (
  api: Client,
  query: { assetId: string; search?: string | undefined; pageNumber: number },
) => api.page(contract.listVersions, { query });

/** With its HTML; undefined once it is deleted. */
export const fetchVersion = async (api: Client, query: { assetId: string; email: string }) =>
  (await api.page(contract.listVersions, { query })).rows[0];

export const removeVersion = (api: Client, query: { assetId: string; email: string }) =>
  api.call(contract.deleteVersion, { query });

export const searchContacts = async (api: Client, search: string, signal: AbortSignal) =>
  (await api.page(contract.listContacts, { query: { search, pageSize: 20 }, signal })).rows;

export const fetchVariables = (api: Client) => allOf(api.rows(contract.listVariables, { query: { pageSize: 200 } }));
export const fetchDomains = (api: Client) =>
  allOf(api.rows(contract.listWorkspaceDomains, { query: { pageSize: 200 } }));

export const fetchHistory = (api: Client, id: string, pageNumber: number, pageSize = 20) =>
  api.page(contract.listEmailHistory, { params: { id }, query: { pageNumber, pageSize } });

export const fetchSave = async (api: Client, id: string, revision: number) =>
  (await api.call(contract.getEmailRevision, { params: { id, revision: String(revision) } })).data;

export const restoreSave = (api: Client, id: string, revision: number, ifMatch: string | null) =>
  api.call(contract.restoreEmail, { params: { id }, body: { revision }, ifMatch });

export const fetchStats = async (api: Client, id: string, startTime: string | undefined, signal: AbortSignal) =>
  (await api.call(contract.getEmailStats, { params: { id }, query: { startTime, interval: 'day' }, signal })).data;

/** A second one with the same content, under the first free name that `nameOf` makes. */
export async function duplicateEmail(api: Client, id: string, nameOf: (name: string, number: number) => string) {
  const { data } = await fetchEmail(api, id);
  const { subject, preheader, html, fromEmail, replyTo, directoryId } = data;
  const { rows } = await api.page(contract.listEmails, { query: { search: data.name.slice(0, 200), pageSize: 200 } });
  const taken = new Set(rows.map(({ name }) => name));
  let number = 1;
  while (taken.has(nameOf(data.name, number))) number++;
  const body = {
    name: nameOf(data.name, number),
    ...{ subject, html, fromEmail },
    ...(replyTo === fromEmail.email ? {} : { replyTo }),
    ...(preheader ? { preheader } : {}),
    ...(directoryId ? { folderId: directoryId } : {}),
  };
  return (await api.call(contract.createEmail, { body })).data;
}
