/** A file to send. A Blob can be sent again after a refusal; a stream, such as a file of Node's, goes once. */
export type Upload = Blob | AsyncIterable<Uint8Array>;

interface UploadStream {
  stream: ReadableStream<Uint8Array>;
  /** An answer may come before the end: then reading stops, and a file would stay open. */
  close(): Promise<void>;
}

/** Chunks as fetch takes them, counted as they leave. */
export function streamOf(
  source: AsyncIterable<Uint8Array>,
  onSent: (bytes: number) => void = () => undefined,
): UploadStream {
  const chunks = source[Symbol.asyncIterator]();
  const close = async () => {
    await chunks.return?.();
  };
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) return controller.close();
      sent += next.value.byteLength;
      onSent(sent);
      controller.enqueue(next.value);
    },
    cancel: close,
  });
  return { stream, close };
}
