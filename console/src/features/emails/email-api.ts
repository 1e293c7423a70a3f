// The API calls of the pages about emails.
import type { Answer, Client } from '@rapport/client';
import type { BodyValue, DataValue, Design } from '@rapport/contract';
import * as contract from '@rapport/contract';
import { allOf } from '../../api/api.ts';

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

export const fetchEmail = (api: Client, id: string): Promise<Answer<Email>> =>
  api.call(contract.getEmail, { params: { id } });

export const patchEmail = (api: Client, id: string, body: EmailPatch, ifMatch?: string | null) =>
  api.call(contract.updateEmail, { params: { id }, body, ifMatch });

export const removeEmail = (api: Client, id: string) => api.call(contract.deleteEmail, { params: { id } });

interface DraftTexts {
  subject: string;
  preheader: string;
  html: string;
}

interface PreviewQuestion {
  contactId: string | undefined;
  draft: DraftTexts | undefined;
  /** Undefined: what the contact reads. */
  language: string | undefined;
}

/** A stored email needs READ; only unsaved text needs WRITE. */
export async function fetchPreview(
  api: Client,
  id: string,
  { contactId, draft, language }: PreviewQuestion,
  signal: AbortSignal,
): Promise<Preview> {
  const params = { id };
  const asked = { contactId, ...(language === undefined ? {} : { language }) };
  if (draft) return (await api.call(contract.previewEmail, { params, body: { ...asked, draft }, signal })).data;
  return (await api.call(contract.previewSavedEmail, { params, query: asked, signal })).data;
}

export const sendTest = async (api: Client, id: string, body: BodyValue<typeof contract.testSendEmail>) =>
  (await api.call(contract.testSendEmail, { params: { id }, body })).data;

/** The HTML of a design that is not saved. */
export async function compileDesign(api: Client, design: Design, language?: string): Promise<string> {
  const body = { design, ...(language === undefined ? {} : { language }) };
  const { data } = await api.call(contract.compileEmail, { body });
  const fault = data.problems.find(({ severity }) => severity === 'error');
  if (fault) throw new Error(`${fault.place.replace(/^design\.?/, '')} ${fault.message}`.trim());
  return data.html;
}

export const removeVersion = (api: Client, query: { assetId: string; email: string }) =>
  api.call(contract.deleteVersion, { query });

export const fetchVariables = (api: Client) => allOf(api.rows(contract.listVariables, { query: { pageSize: 200 } }));

export const fetchHistory = (api: Client, id: string, pageNumber: number, pageSize = 20) =>
  api.page(contract.listEmailHistory, { params: { id }, query: { pageNumber, pageSize } });

export const restoreSave = (api: Client, id: string, revision: number, ifMatch: string | null) =>
  api.call(contract.restoreEmail, { params: { id }, body: { revision }, ifMatch });

/** A copy with the same content, under the first free name that `nameOf` makes. */
export async function duplicateEmail(api: Client, id: string, nameOf: (name: string, number: number) => string) {
  const { data } = await fetchEmail(api, id);
  const { subject, preheader, html, design, languages = {}, fromEmail, replyTo, directoryId } = data;
  const { rows } = await api.page(contract.listEmails, { query: { search: data.name.slice(0, 200), pageSize: 200 } });
  const taken = new Set(rows.map(({ name }) => name));
  let number = 1;
  while (taken.has(nameOf(data.name, number))) number++;
  const body = {
    name: nameOf(data.name, number),
    ...{ subject, fromEmail, ...(design ? { design } : { html }) },
    ...(replyTo === fromEmail.email ? {} : { replyTo }),
    ...(preheader ? { preheader } : {}),
    ...(directoryId ? { folderId: directoryId } : {}),
    languages: Object.fromEntries(
      Object.entries(languages).map(([tag, { subject, preheader, html, design }]) => {
        return [tag, { subject, preheader, ...(design ? { design } : { html }) }];
      }),
    ),
  };
  return (await api.call(contract.createEmail, { body })).data;
}
