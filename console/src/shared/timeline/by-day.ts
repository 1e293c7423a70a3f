const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const dayName = (at: string): string => day.format(new Date(at));
export const clockTime = (at: string): string => clock.format(new Date(at));

/** Groups adjacent entries of one day under its name; the order stays. */
export function byDay<Item extends { at: string }>(items: readonly Item[]): { day: string; items: Item[] }[] {
  const days: { day: string; items: Item[] }[] = [];
  for (const item of items) {
    const name = dayName(item.at);
    const last = days.at(-1);
    if (last?.day === name) last.items.push(item);
    else days.push({ day: name, items: [item] });
  }
  return days;
}
