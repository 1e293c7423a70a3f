// Downloads a file of the API. It is requested with the user's token, which a plain link could not carry.
import type { Client } from '@rapport/client';

interface SaveOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes received so far. */
  onRead?: (bytes: number) => void;
}

/** @param name Without it, the name that the service gives it. */
export async function saveFile(
  api: Client,
  path: string,
  name: string | undefined,
  options: SaveOptions = {},
): Promise<void> {
  const { signal, onRead } = options;
  const { body, headers } = await api.download(path, { signal });
  const type = headers.get('content-type') ?? 'text/csv';
  const parts = body ? body.pipeThrough(counting(onRead)) : null;
  // The browser keeps large ones on disk.
  const blob = await new Response(parts, { headers: { 'content-type': type } }).blob();
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name ?? nameIn(headers.get('content-disposition'));
  link.click();
  // Not at once: the browser has only begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const nameIn = (disposition: string | null): string => /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? '';

function counting(onRead: ((bytes: number) => void) | undefined) {
  let bytes = 0;
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      bytes += part.byteLength;
      onRead?.(bytes);
      controller.enqueue(part);
    },
  });
}
