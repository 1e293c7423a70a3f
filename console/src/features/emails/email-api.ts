// What the pages about emails ask of the API.
import type {
  DataValue,
  deleteEmail,
  deleteVersion,
  getEmail,
  listContacts,
  listEmailActivity,
  listEmails,
  listFolders,
  listVariables,
  listVersions,
  previewEmail,
  testSendEmail,
  updateEmail,
} from '@rapport/contract';
import type { Answer, Api } from '../../api.ts';

export type Email = DataValue<typeof getEmail>;
export type EmailRow = DataValue<typeof listEmails>;
export type Folder = DataValue<typeof listFolders>;
export type Contact = DataValue<typeof listContacts>;
export type Preview = DataValue<typeof previewEmail>;
export type Problem = Preview['problems'][number];
export type Version = DataValue<typeof listVersions>;
export type Arrival = DataValue<typeof listEmailActivity>;
export type Variable = DataValue<typeof listVariables>;

const at = (id: string) => `/emails/${encodeURIComponent(id)}`;

export const fetchEmail = (api: Api, id: string): Promise<Answer<Email>> => api.call<typeof getEmail>('GET', at(id));

export const patchEmail = (api: Api, id: string, body: object, ifMatch: string | null) =>
  api.call<typeof updateEmail>('PATCH', at(id), { body, ifMatch });

export const removeEmail = (api: Api, id: string) => api.call<typeof deleteEmail>('DELETE', at(id));

export interface PreviewRequest {
  contactId?: string | undefined;
  draft?: { subject: string; preheader: string; html: string } | undefined;
}
export const fetchPreview = async (api: Api, id: string, body: PreviewRequest, signal: AbortSignal) =>
  (await api.call<typeof previewEmail>('POST', `${at(id)}/preview`, { body, signal })).data;

export const sendTest = async (api: Api, id: string, body: { to: string; contactId?: string | undefined }) =>
  (await api.call<typeof testSendEmail>('POST', `${at(id)}/test-send`, { body })).data;

export const fetchActivity = (api: Api, id: string, query: { outcome?: string | undefined; pageNumber: number }) =>
  api.page<typeof listEmailActivity>(`${at(id)}/activity`, { query });

export const fetchVersions = (api: Api, query: { assetId: string; email?: string | undefined; pageNumber?: number }) =>
  api.page<typeof listVersions>('/email-versions', { query });

export const removeVersion = (api: Api, query: { assetId: string; email: string }) =>
  api.call<typeof deleteVersion>('DELETE', '/email-versions', { query });

export const searchContacts = async (api: Api, search: string, signal: AbortSignal) =>
  (await api.page<typeof listContacts>('/contacts', { query: { search, pageSize: 20 }, signal })).rows;

export const fetchVariables = (api: Api) => api.all<typeof listVariables>('/email-variables');
