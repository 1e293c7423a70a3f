// The days of a chart: the API leaves out those on which nothing happened. Pure.
const dayMs = 86_400_000;
/** As many as can be told apart in a chart; if there are more, the newest. */
const mostDays = 366;
/** One day alone is a dot. */
const fewestDays = 7;

export function everyDay<Part extends { time: string }>(
  series: readonly Part[],
  startTime: string | undefined,
  endTime: string,
): { times: string[]; partAt: (time: string) => Part | undefined } {
  const byDay = new Map(series.map((part) => [dayOf(Date.parse(part.time)), part]));
  const last = startOf(Date.parse(endTime));
  const first = startOf(Date.parse(startTime ?? series[0]?.time ?? endTime));
  const from = Math.max(Math.min(first, last - (fewestDays - 1) * dayMs), last - (mostDays - 1) * dayMs);
  const times: string[] = [];
  for (let at = from; at <= last; at += dayMs) times.push(dayOf(at));
  return { times, partAt: (time) => byDay.get(time) };
}

const startOf = (at: number) => Math.floor(at / dayMs) * dayMs;
const dayOf = (at: number) => new Date(startOf(at)).toISOString();
