// Adds very many contacts to a list: reads them first, then adds a thousand at a time, the API's limit.
const atOnce = 1000;

export interface Progress {
  step: 'reading' | 'adding';
  done: number;
}
export interface BulkAddResult {
  added: number;
  alreadyMembers: number;
}

/** The ids in a file with one column. All of them are read before the first is added, so that a filter about the list does not see its own work. */
export async function readIds(
  file: ReadableStream<Uint8Array>,
  onProgress: (progress: Progress) => void,
): Promise<string[]> {
  const ids: string[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  const take = (lines: readonly string[]) => {
    for (const line of lines) if (/^[0-9a-f]{32}$/.test(line.trim())) ids.push(line.trim());
    onProgress({ step: 'reading', done: ids.length });
  };
  for (const reader = file.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    take(lines);
  }
  take([rest]);
  return ids;
}

/** Adds until all are in, or until it is stopped: what was added stays, and is reported in either case. */
export async function addAll(
  ids: readonly string[],
  add: (ids: readonly string[]) => Promise<BulkAddResult>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<BulkAddResult> {
  const outcome: BulkAddResult = { added: 0, alreadyMembers: 0 };
  for (let from = 0; from < ids.length && !signal.aborted; from += atOnce) {
    onProgress({ step: 'adding', done: from });
    const { added, alreadyMembers } = await add(ids.slice(from, from + atOnce));
    outcome.added += added;
    outcome.alreadyMembers += alreadyMembers;
  }
  return outcome;
}
