// The API calls of the contact page.
import type { Client } from '@rapport/client';
import type { DataValue } from '@rapport/contract';
import * as contract from '@rapport/contract';

export type Contact = DataValue<typeof contract.getContact>;
export type Suppression = DataValue<typeof contract.listSuppressions>;
export type Enrolment = DataValue<typeof contract.listContactJourneys>;
export type EnrolmentRecord = DataValue<typeof contract.getEnrolment>;
export type Change = DataValue<typeof contract.listContactChanges>;
export type Membership = DataValue<typeof contract.listContactLists>;
export type ContactTopic = DataValue<typeof contract.listContactTopics>[number];
export type ConsentEntry = DataValue<typeof contract.listConsentLog>;
export type Version = DataValue<typeof contract.listVersions>;

/** Resolves once the write is applied; null removes. */
export async function changeProperties(api: Client, id: string, properties: Record<string, unknown>): Promise<void> {
  const { data } = await api.call(contract.updateContact, { params: { id }, body: { properties } });
  await applied(api, data.transactionId);
}

export async function eraseContact(api: Client, id: string): Promise<void> {
  const { data } = await api.call(contract.deleteContact, { params: { id } });
  await applied(api, data.transactionId);
}

async function applied(api: Client, transactionId: string): Promise<void> {
  const { data } = await api.transactions.wait(transactionId);
  const fault = data?.results.find(({ status }) => status === 'FAILED');
  if (fault) throw new Error(fault.error);
}
