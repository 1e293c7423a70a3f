export const t = {
  asBefore: 'no change',
  change: (share: string) => `${share} vs. previous period`,
  noneBefore: 'none in previous period',
  times: (times: number) => `${times}× the previous period`,
  whatIs: (name: string) => `What “${name}” means`,
};
