/** Milliseconds of processor time that this worker spent on it: unlike those of a clock about the same on a busy machine. */
export function processorMsOf(effect: () => unknown): number {
  const before = process.cpuUsage();
  effect();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
