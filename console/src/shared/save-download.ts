import type { Client } from '@rapport/client';

/** Reads a file of the service and gives it to the person under a name. */
export async function saveDownload(api: Client, path: string, name: string, type: string): Promise<void> {
  const answer = await api.download(path);
  // A Blob may lie on disk: an export of a person can be large.
  const file = await new Response(answer.body, { headers: { 'content-type': type } }).blob();
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
