/** How many events each of the last days had, oldest first; 0 for a day without events. Days are in UTC, as the API counts them. */
export function lastDays(
  days: readonly { day: string; count: number }[],
  today: Date,
  length = 30,
): { day: string; count: number }[] {
  const counts = new Map(days.map(({ day, count }) => [day, count]));
  return Array.from({ length }, (_, at) => {
    const date = new Date(today);
    date.setUTCDate(date.getUTCDate() - (length - 1 - at));
    const day = date.toISOString().slice(0, 10);
    return { day, count: counts.get(day) ?? 0 };
  });
}
