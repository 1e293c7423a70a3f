// What the pages of forms ask of the API.
import type { DataValue, listFormSubmissions, listForms } from '@rapport/contract';

export type Form = DataValue<typeof listForms>;
export type FormField = Form['fields'][number];
export type Submission = DataValue<typeof listFormSubmissions>;
