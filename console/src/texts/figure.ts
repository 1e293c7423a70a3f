export const t = {
  asBefore: 'as in the period before',
  change: (share: string) => `${share} against the period before`,
  noneBefore: 'none in the period before',
  times: (times: number) => `${times} times the period before`,
  whatIs: (name: string) => `What “${name}” means`,
};
