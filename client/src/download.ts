// A body that is read after the call has answered.
import { lateAnswer, noAnswer } from './failure.js';
import type { FetchAnswer } from './fetch.js';
import type { Stopper } from './stopper.js';

/**
 * The answer with a body that may take as long as it needs, but must not stand still for longer than `idleMs` while
 * somebody wants more of it. The stopper is let go when it ends.
 */
export function watchBody(answer: FetchAnswer, stopper: Stopper, idleMs: number): FetchAnswer {
  if (!answer.body) {
    stopper.letGo();
    return answer;
  }
  const body = watched(answer.body.getReader(), stopper, idleMs);
  const { ok, status, headers } = answer;
  return { ok, status, headers, body, text: () => textOf(body.getReader()) };
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function textOf(reader: Reader): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

function watched(reader: Reader, stopper: Stopper, idleMs: number): ReadableStream<Uint8Array> {
  const { signal } = stopper;
  return new ReadableStream(
    {
      async pull(controller) {
        stopper.stopAfter(idleMs, lateAnswer(idleMs / 1000));
        try {
          const { done, value } = await reader.read();
          stopper.clearTime();
          if (!done) return controller.enqueue(value);
          stopper.letGo();
          controller.close();
        } catch (error) {
          stopper.letGo();
          throw signal.aborted ? signal.reason : noAnswer(error);
        }
      },
      cancel(reason) {
        stopper.letGo();
        return reader.cancel(reason);
      },
    },
    // Nothing is read ahead: only what somebody waits for can be late.
    { highWaterMark: 0 },
  );
}
