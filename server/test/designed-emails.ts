// Designs and saved blocks for tests.
import type { TenantClient } from './app.js';
import { emailBody } from './emails.js';

export const footer = { type: 'footer', address: 'Example Ltd, 1 High Street' };
export const paragraph = (text: string) => ({
  type: 'text',
  content: [{ type: 'paragraph', spans: [{ text }] }],
});
export const designOf = (...blocks: object[]) => ({ version: 1, blocks: [...blocks, footer] });
export const savedRef = (blockId: string) => ({ type: 'saved', blockId });

/** The body of an email with a design instead of html. */
export function designBody(design: unknown, change: Record<string, unknown> = {}): Record<string, unknown> {
  const { html: _, ...body } = emailBody();
  return { ...body, design, ...change };
}

/** The id of a new email made of these blocks and a footer. */
export async function makeDesigned(tenant: TenantClient, ...blocks: object[]): Promise<string> {
  const { status, body, text } = await tenant.post('/v2/emails', designBody(designOf(...blocks)));
  if (status !== 200) throw new Error(text);
  return body.data.emailId;
}

/** The id of a new saved block. */
export async function makeSaved(tenant: TenantClient, ...blocks: object[]): Promise<string> {
  const { status, body, text } = await tenant.post('/v2/blocks', { name: 'Saved', blocks });
  if (status !== 200) throw new Error(text);
  return body.data.blockId;
}
