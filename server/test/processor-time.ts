// CPU time of this worker, in milliseconds. Unlike wall-clock time, it is about the same on a busy machine.
function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function processorMsOf(effect: () => unknown): number {
  const before = process.cpuUsage();
  effect();
  return spentSince(before);
}

/** From now until the returned function is called: how long the longest turn of the event loop took. */
export function watchTurns(): () => number {
  let longest = 0;
  let before = process.cpuUsage();
  const note = () => {
    longest = Math.max(longest, spentSince(before));
    before = process.cpuUsage();
  };
  const timer = setInterval(note, 10);
  return () => {
    clearInterval(timer);
    note();
    return longest;
  };
}
