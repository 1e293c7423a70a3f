/** How often a property is tested: this many times in the suite, RUNS_FACTOR times as many in `npm run prove -- models`. */
export function runs(count: number): number {
  return Math.ceil(count * Number(process.env.RUNS_FACTOR ?? 1));
}
