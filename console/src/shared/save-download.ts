import type { Client } from '@rapport/client';

/** Reads a file of the service and gives it to the person under a name. */
export async function saveDownload(api: Client, path: string, name: string, type: string): Promise<void> {
  const answer = await api.download(path);
  const parts: BlobPart[] = [];
  for await (const part of answer.body ?? []) parts.push(new Uint8Array(part));
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
