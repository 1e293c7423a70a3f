// A few processes for work that may never end: each is killed if it shows no progress, or uses too much memory.
// Processes and not threads: a thread that allocates too much at once takes the whole process with it (decision 0015).
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Clock, systemClock } from './clock.js';
import { Places } from './places.js';

interface PoolLimits {
  processes: number;
  /** How long a step may take: the time between two signs of life. */
  stepMs: number;
  /** The heap limit of one process. */
  memoryMb: number;
  /** An idle process ends after this. */
  idleMs: number;
  /** How long a job waits for its turn, and how many may wait per tenant. */
  waitMs: number;
  mostWaiting: number;
}

/** A process was killed because of its job. `mark` is the last step that it reported. */
export class OutOfBounds extends Error {
  constructor(
    reason: string,
    readonly mark: unknown,
  ) {
    super(reason);
  }
}

/** The messages of a process. Each of them is a sign of life. */
export type Sign = { up: true } | { mark: unknown } | { part: unknown } | { done: unknown } | { error: string };

interface Running {
  resolve(done: unknown): void;
  reject(error: Error): void;
  onPart(part: never): void;
  mark: unknown;
  signAt: number;
  /** Its CPU time when the limit was reached. */
  usedAtLimit?: number | undefined;
}

// Milliseconds.
const lookEvery = 50;
const longestStart = 10_000;

export class ProcessPool {
  private readonly places: Places;
  private readonly idle: Helper[] = [];
  private readonly all = new Set<Helper>();
  private isClosed = false;

  constructor(
    private readonly entry: URL,
    private readonly limits: PoolLimits,
    private readonly refuse: () => Error,
  ) {
    const { processes, waitMs, mostWaiting } = limits;
    this.places = new Places({ places: processes, mostEach: Math.max(1, processes - 1), waitMs, mostWaiting, refuse });
  }

  /** Throws OutOfBounds if the process had to be killed. Parts arrive in order, before the result. */
  async run(tenantId: number, job: object, onPart: (part: never) => void = () => undefined): Promise<unknown> {
    const giveBack = await this.places.take(tenantId);
    try {
      if (this.isClosed) throw this.refuse();
      // The one that worked last, so that the others may end.
      const helper = this.idle.pop() ?? this.start();
      return await helper.run(job, onPart);
    } finally {
      giveBack();
    }
  }

  /** Kills busy processes too. */
  close(): void {
    this.isClosed = true;
    for (const helper of this.all) helper.end(this.refuse());
  }

  private start(): Helper {
    const helper = new Helper(this.entry, this.limits, {
      refuse: this.refuse,
      onIdle: () => this.idle.push(helper),
      onEnd: () => {
        this.all.delete(helper);
        if (this.idle.includes(helper)) this.idle.splice(this.idle.indexOf(helper), 1);
      },
    });
    this.all.add(helper);
    return helper;
  }
}

class Helper {
  private readonly child: ChildProcess;
  private running: Running | undefined;
  private isUp = false;
  private hasEnded = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    entry: URL,
    private readonly limits: PoolLimits,
    private readonly events: { onIdle(): void; onEnd(): void; refuse(): Error },
    private readonly clock: Clock = systemClock,
  ) {
    this.child = fork(entry, {
      // It needs no settings, and must not know our secrets. When V8 runs out of memory, it prints pages that are never read.
      env: {},
      execArgv: [`--max-old-space-size=${limits.memoryMb}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.child.on('message', (sign: Sign) => this.hear(sign));
    this.child.on('error', (error) => this.end(error));
    this.child.on('exit', (code, signal) => this.end(this.whyEnded(code, signal)));
  }

  run(job: object, onPart: (part: never) => void): Promise<unknown> {
    clearTimeout(this.timer);
    this.child.ref();
    this.child.channel?.ref();
    return new Promise((resolve, reject) => {
      this.running = { resolve, reject, onPart, mark: undefined, signAt: this.clock.elapsed() };
      this.timer = setInterval(() => this.look(), lookEvery);
      // The process was just ending: a retry finds another one.
      this.child.send(job, (error) => error && this.end(this.events.refuse()));
    });
  }

  end(why: Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearInterval(this.timer);
    this.child.kill('SIGKILL');
    this.events.onEnd();
    this.running?.reject(why);
    this.running = undefined;
  }

  private hear(sign: Sign): void {
    const { running } = this;
    if ('up' in sign) this.isUp = true;
    if (!running || this.hasEnded) return;
    running.signAt = this.clock.elapsed();
    running.usedAtLimit = undefined;
    if ('mark' in sign) running.mark = sign.mark;
    else if ('part' in sign) running.onPart(sign.part as never);
    else if (!('up' in sign)) {
      this.rest();
      if ('error' in sign) running.reject(new Error(sign.error));
      else running.resolve(sign.done);
    }
  }

  private rest(): void {
    this.running = undefined;
    clearInterval(this.timer);
    this.timer = setTimeout(() => this.end(new Error('idle')), this.limits.idleMs).unref();
    this.child.unref();
    this.child.channel?.unref();
    this.events.onIdle();
  }

  /** By wall-clock time alone, short work would fail on a busy machine: past the limit, CPU time decides. */
  private look(): void {
    const { running } = this;
    if (!running) return;
    const limit = this.isUp ? this.limits.stepMs : longestStart;
    const quiet = this.clock.elapsed() - running.signAt;
    if (quiet <= limit) return;
    const used = processorTimeOf(this.child.pid);
    running.usedAtLimit ??= used;
    const isOver =
      used === undefined || running.usedAtLimit === undefined
        ? quiet > limit * 2
        : used - running.usedAtLimit > limit / 2 || quiet > limit * 8;
    if (isOver) this.end(new OutOfBounds(`it took longer than ${this.limits.stepMs} ms`, running.mark));
  }

  private whyEnded(code: number | null, signal: string | null): Error {
    // V8 aborts when the heap is full.
    if (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' || code === 134)
      return new OutOfBounds(`it needed more than ${this.limits.memoryMb} MB of memory`, this.running?.mark);
    // Killed from outside, such as by a system short of memory: not the fault of the job.
    return signal ? this.events.refuse() : new Error(`a rendering process ended by itself (${code})`);
  }
}

/** Milliseconds, if the system reports them: Linux, in steps of 10. */
function processorTimeOf(pid: number | undefined): number | undefined {
  try {
    // The name in parentheses may contain spaces; the 14th and 15th values count ticks of 10 ms.
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/);
    const values = rest.split(' ');
    const ticks = Number(values[11]) + Number(values[12]);
    return Number.isFinite(ticks) ? ticks * 10 : undefined;
  } catch {
    return undefined;
  }
}
