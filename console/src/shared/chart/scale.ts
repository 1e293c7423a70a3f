// Positions in a chart. Pure.

/** Round steps from 0 to at least the largest value: 0, 20, 40, 60. */
export function ticksTo(largest: number, about = 4): number[] {
  if (largest <= 0) return [0, 1];
  const raw = largest / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= raw) ?? raw);
  const whole = Number.isInteger(step) ? step : Math.ceil(step);
  return Array.from({ length: Math.ceil(largest / whole) + 1 }, (_, at) => at * whole);
}

/** The path of a line through points from left to right. */
export function linePath(points: readonly { x: number; y: number }[]): string {
  return points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
}

const round = (value: number) => Math.round(value * 10) / 10;
