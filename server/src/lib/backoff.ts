/** Milliseconds to wait after a number of failures in a row: each wait is `factor` times the one before, up to `longest`. */
export function waitAfter(failures: number, first: number, factor: number, longest: number): number {
  return Math.min(first * factor ** (failures - 1), longest);
}
