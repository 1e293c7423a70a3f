import { closeSync, openSync } from 'node:fs';
import { copyFile, open, stat, truncate } from 'node:fs/promises';

/** The server's log, and what was written to it since it was opened here. */
export interface LogFile {
  readonly fd: number;
  close(): void;
  written(): Promise<string>;
}

const largestLog = 10 * 1024 * 1024;
const largestExcerpt = 64 * 1024;

export async function openLog(path: string): Promise<LogFile> {
  await boundLog(path);
  const fd = openSync(path, 'a', 0o600);
  const start = (await stat(path)).size;
  return { fd, close: () => closeSync(fd), written: () => readFrom(path, start) };
}

/** Copied and truncated, not renamed: a running server keeps writing to the same file. Together they never exceed 20 MB for long. */
export async function boundLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= largestLog) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

async function readFrom(path: string, start: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(Math.min(start, size), size - largestExcerpt);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
