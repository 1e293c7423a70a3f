// One request, sent until there is an answer or no sense in trying again.
import type { Clock } from './clock.js';
import { readEnvelope } from './envelope.js';
import { ApiFailure, bareRefusal, lateAnswer, noAnswer } from './failure.js';
import type { Fetch, FetchAnswer, FetchInit } from './fetch.js';
import { mayRepeat, type Patience, type Repeatable, readRetryAfter, waitAfter } from './retry.js';
import { type Stopper, stopperOf } from './stopper.js';

export interface Sender {
  fetch: Fetch;
  clock: Clock;
  patience: Patience;
  onUnauthorized: (failure: ApiFailure) => void;
}

export interface Outgoing extends Repeatable, Pick<FetchInit, 'method' | 'headers' | 'body'> {
  url: string;
  signal: AbortSignal | undefined;
  hasTimeout: boolean;
  /** Of a stream: lets go of it once there is an answer. */
  close?: () => Promise<void>;
  /** The body of the answer is read after `send` has answered; its reader releases the stopper. */
  leavesBody?: boolean;
}

type Reader<T> = (response: FetchAnswer, stopper: Stopper) => Promise<T>;

/** `read` belongs to the attempt: an answer that breaks off is no answer. */
export async function send<T>(sender: Sender, outgoing: Outgoing, read: Reader<T>): Promise<T> {
  try {
    return await sendPatiently(sender, outgoing, read);
  } finally {
    outgoing.close?.().catch(() => undefined);
  }
}

async function sendPatiently<T>(sender: Sender, outgoing: Outgoing, read: Reader<T>): Promise<T> {
  const { clock, patience } = sender;
  const start = clock.now();
  for (let attempt = 1; ; attempt++) {
    outgoing.signal?.throwIfAborted();
    try {
      return await attemptOnce(sender, outgoing, read);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (error.status === 401) sender.onUnauthorized(error);
      const wait = mayRepeat(outgoing, error)
        ? waitAfter(attempt, error, clock.now() - start, patience, clock.random)
        : undefined;
      if (wait === undefined) throw error;
      await clock.sleep(wait, outgoing.signal);
    }
  }
}

async function attemptOnce<T>(sender: Sender, outgoing: Outgoing, read: Reader<T>): Promise<T> {
  const { signal, hasTimeout } = outgoing;
  const { timeoutMs } = sender.patience;
  const stopper = stopperOf(signal);
  if (hasTimeout) stopper.stopAfter(timeoutMs, lateAnswer(timeoutMs / 1000));
  try {
    const response = await sender.fetch(outgoing.url, initOf(outgoing, stopper.signal));
    if (!response.ok) throw await refusalOf(response, sender.clock.now());
    const value = await read(response, stopper);
    if (outgoing.leavesBody) stopper.clearTime();
    else stopper.letGo();
    return value;
  } catch (error) {
    stopper.letGo();
    if (error instanceof ApiFailure) throw error;
    throw stopper.signal.aborted ? stopper.signal.reason : noAnswer(error);
  }
}

function initOf({ method, headers, body, close }: Outgoing, signal: AbortSignal): FetchInit {
  return {
    method,
    headers,
    credentials: 'omit',
    redirect: 'manual',
    signal,
    ...(body === undefined ? {} : { body }),
    ...(close === undefined ? {} : { duplex: 'half' }),
  };
}

async function refusalOf(response: FetchAnswer, now: number): Promise<ApiFailure> {
  const { status, headers } = response;
  const items = readEnvelope(await response.text())?.errors ?? [];
  return new ApiFailure(status, items.length > 0 ? items : [bareRefusal(status)], {
    requestId: headers.get('x-request-id'),
    retryAfter: readRetryAfter(headers.get('retry-after'), now),
  });
}
