// What the pages about emails ask of the API.
import { type Answer, ApiFailure, type Client, type Page } from '@rapport/client';
import type { BodyValue, DataValue } from '@rapport/contract';
import * as contract from '@rapport/contract';
import { allOf } from '../../api.ts';

export type Email = DataValue<typeof contract.getEmail>;
export type EmailPatch = BodyValue<typeof contract.updateEmail>;
export type EmailRow = DataValue<typeof contract.listEmails>;
export type Folder = DataValue<typeof contract.listFolders>;
export type Contact = DataValue<typeof contract.listContacts>;
export type Preview = DataValue<typeof contract.previewEmail>;
export type Problem = Preview['problems'][number];
export type Version = DataValue<typeof contract.listVersions>;
export type Arrival = DataValue<typeof contract.listEmailActivity>;
export type Variable = DataValue<typeof contract.listVariables>;

export const fetchEmail = (api: Client, id: string): Promise<Answer<Email>> =>
  api.call(contract.getEmail, { params: { id } });

export const patchEmail = (api: Client, id: string, body: EmailPatch, ifMatch: string | null) =>
  api.call(contract.updateEmail, { params: { id }, body, ifMatch });

export const removeEmail = (api: Client, id: string) => api.call(contract.deleteEmail, { params: { id } });

export interface PreviewRequest {
  contactId?: string | undefined;
  draft?: { subject: string; preheader: string; html: string } | undefined;
}
export const fetchPreview = async (api: Client, id: string, body: PreviewRequest, signal: AbortSignal) =>
  (await api.call(contract.previewEmail, { params: { id }, body, signal })).data;

export const sendTest = async (api: Client, id: string, body: { to: string; contactId?: string | undefined }) =>
  (await api.call(contract.testSendEmail, { params: { id }, body })).data;

export const fetchActivity = (api: Client, id: string, outcome: Arrival['outcome'] | undefined, pageNumber: number) =>
  api.page(contract.listEmailActivity, { params: { id }, query: { outcome: outcome && [outcome], pageNumber } });

/** An address that is no contact's has no version: for somebody who looks for one, that is no failure. */
export async function fetchVersions(
  api: Client,
  query: { assetId: string; email?: string | undefined; pageNumber?: number },
): Promise<Page<Version>> {
  try {
    return await api.page(contract.listVersions, { query });
  } catch (error) {
    if (!(error instanceof ApiFailure && error.errorCode === 'BAS-E-002')) throw error;
    return { rows: [], pageNumber: 1, pageSize: 20, totalElements: 0, totalPages: 0 };
  }
}

export const removeVersion = (api: Client, query: { assetId: string; email: string }) =>
  api.call(contract.deleteVersion, { query });

export const searchContacts = async (api: Client, search: string, signal: AbortSignal) =>
  (await api.page(contract.listContacts, { query: { search, pageSize: 20 }, signal })).rows;

export const fetchVariables = (api: Client) => allOf(api.rows(contract.listVariables));
