// Contacts, as tools show them.
import * as contract from '@rapport/contract';
import { Type } from 'typebox';
import { ApiError, invalid } from '../../../http/api-error.js';
import type { Session } from '../tool.js';

type Contact = contract.DataValue<typeof contract.getContact>;

export interface ShownContact {
  [key: string]: unknown;
  contactId: string;
  email: string;
}

/** With the names of the API: `contactId` wherever a contact is named. */
export function shownContact({ id, email, properties, createdAt, updatedAt }: Contact): ShownContact {
  const name = (key: string, shown: string) =>
    typeof properties[key] === 'string' ? { [shown]: properties[key] } : {};
  return {
    ...{ contactId: id, email, ...name('first_name', 'firstName'), ...name('last_name', 'lastName') },
    ...{ properties, createdAt, updatedAt },
  };
}

/** A contact by id or by address. */
export const contactInput = {
  contactId: Type.Optional(Type.String({ description: 'Contact id, 32 hex digits' })),
  email: Type.Optional(Type.String({ description: 'or the address' })),
};

export async function getContact({ api }: Session, given: { contactId?: string; email?: string }): Promise<Contact> {
  const { contactId, email } = given;
  if ((contactId === undefined) === (email === undefined))
    throw invalid('contactId', 'or email is required: one of them');
  if (contactId !== undefined) return (await api(contract.getContact, { params: { id: contactId } })).data;
  return (await api(contract.getContactByEmail, { params: { email: email as string } })).data;
}

/** JSON of any form: the use case reads it, and names what is wrong with its place. */
export const anyObject = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: 'object', description });

export const filterInput = anyObject(
  'Filter, such as {"all":[{"property":"plan","is":"pro"}]}; the resource rapport://docs/audiences explains the language',
);

/** What is wrong with what was given, with its place. */
export function faultsOf(error: unknown): { path: string; message: string }[] {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error;
  return error.items.map(({ message, detail = 'filter' }) => {
    const fault = contract.readFault(detail);
    return fault ? { path: fault.place, message: fault.words } : { path: detail, message };
  });
}

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
