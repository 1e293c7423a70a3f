// Lines that tell a person that long work goes on.

const everyMs = 5000;

/** Says every few seconds what `describe` answers, until `stop`. Work that is done sooner says nothing. */
export function sayNowAndThen(say: (line: string) => void, describe: () => string): { stop(): void } {
  const timer = setInterval(() => say(describe()), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

export function counted(count: number, singular: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : `${singular}s`}`;
}

export function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
