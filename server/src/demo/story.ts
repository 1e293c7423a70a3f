// What the people of the demo tenant did in the product over the last weeks.

interface Actor {
  userId?: string;
  email?: string;
  orgId?: string;
}

const ada: Actor = { userId: 'ada', orgId: 'engines' };
const katherine: Actor = { userId: 'katherine', orgId: 'orbit' };
const margaret: Actor = { userId: 'margaret', orgId: 'orbit' };
// No product users: their events name the email.
const hedy: Actor = { email: 'hedy@example.com' };
const grace: Actor = { email: 'grace@example.com' };

/** Days ago, time of that day in UTC, who, what, and what else is known of it. */
type Line = [days: number, time: string, actor: Actor, eventName: string, eventProperties?: Record<string, unknown>];

const lines: Line[] = [
  [44, '09:12', ada, 'account_created', { source: 'invitation' }],
  [44, '09:20', ada, 'project_created', { project: 'Bernoulli numbers' }],
  [43, '14:05', katherine, 'account_created', { source: 'website', campaign: 'autumn' }],
  [43, '14:31', katherine, 'project_created', { project: 'Trajectories' }],
  [41, '10:02', katherine, 'teammate_invited', { role: 'member' }],
  [40, '08:47', margaret, 'account_created', { source: 'invitation' }],
  [38, '16:18', ada, 'data_imported', { rows: 4200, format: 'csv' }],
  [36, '11:40', margaret, 'data_imported', { rows: 11500, format: 'ndjson' }],
  [33, '09:55', ada, 'report_created', { report: 'Weekly overview', charts: 4 }],
  [30, '15:22', grace, 'webinar_attended', { title: 'Reports in ten minutes', minutes: 41 }],
  [30, '15:22', hedy, 'webinar_attended', { title: 'Reports in ten minutes', minutes: 28 }],
  [29, '13:08', ada, 'plan_upgraded', { from: 'pro', to: 'team', seats: 12 }],
  [27, '10:44', katherine, 'report_created', { report: 'Orbit checks', charts: 9 }],
  [26, '17:30', margaret, 'report_exported', { report: 'Orbit checks', format: 'pdf', pages: 14 }],
  [24, '09:03', ada, 'integration_connected', { integration: 'warehouse' }],
  [22, '12:15', margaret, 'alert_created', { metric: 'error_rate', threshold: 0.02 }],
  [20, '08:21', katherine, 'report_exported', { report: 'Orbit checks', format: 'csv', rows: 1200 }],
  [18, '14:50', ada, 'report_exported', { report: 'Weekly overview', format: 'pdf', pages: 6 }],
  [16, '10:10', hedy, 'trial_started', { plan: 'pro', days: 30 }],
  [15, '11:26', hedy, 'project_created', { project: 'Hopping sequences' }],
  [13, '16:02', ada, 'teammate_invited', { role: 'viewer' }],
  [12, '09:37', margaret, 'alert_triggered', { metric: 'error_rate', value: 0.031, threshold: 0.02 }],
  [11, '18:05', katherine, 'plan_limit_reached', { limit: 'seats', used: 20, allowed: 20 }],
  [9, '13:44', hedy, 'pricing_viewed', { plan: 'pro' }],
  [8, '10:29', ada, 'report_shared', { report: 'Weekly overview', with: ['katherine', 'margaret'] }],
  [6, '15:16', margaret, 'report_created', { report: 'Landing sequence', charts: 3 }],
  [4, '09:48', grace, 'docs_viewed', { page: 'compilers' }],
  [3, '11:11', ada, 'feature_tried', { feature: 'loops', isBeta: true }],
  [2, '14:33', katherine, 'report_exported', { report: 'Landing sequence', format: 'pdf', pages: 8 }],
  [1, '10:20', hedy, 'trial_reminder_dismissed'],
  [1, '16:57', ada, 'report_exported', { report: 'Weekly overview', format: 'csv', rows: 860 }],
];

/** Minutes ago, so that there is something of today: who, what, and what else is known of it. */
const lately: Line[] = [
  [2, '', ada, 'dashboard_viewed', { dashboard: 'Weekly overview', seconds: 48 }],
  [7, '', katherine, 'dashboard_viewed', { dashboard: 'Orbit checks', seconds: 190 }],
  [11, '', margaret, 'alert_triggered', { metric: 'latency_ms', value: 812, threshold: 500 }],
  [19, '', ada, 'report_shared', { report: 'Weekly overview', with: ['margaret'] }],
  [26, '', grace, 'docs_viewed', { page: 'loops' }],
  [
    34,
    '',
    katherine,
    'comment_added',
    { report: 'Orbit checks', mentions: ['margaret'], chart: { no: 3, kind: 'line' } },
  ],
  [52, '', margaret, 'dashboard_viewed', { dashboard: 'Landing sequence', seconds: 75 }],
  [75, '', ada, 'feature_tried', { feature: 'loops', isBeta: true }],
  [103, '', katherine, 'comment_added', { report: 'Landing sequence', mentions: [], chart: { no: 1, kind: 'bar' } }],
];

/** Who signs in on most days of the last month. */
function signIns(now: Date): Line[] {
  return Array.from({ length: 30 }, (_, i) => 30 - i).flatMap((days): Line[] => {
    const weekday = new Date(now.getTime() - days * dayMs).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    return [ada, katherine, margaret].flatMap((actor, i): Line[] => {
      if ((days * 3 + i) % (isWeekend ? 5 : 7) > (isWeekend ? 0 : 4)) return [];
      const time = `${String(7 + i).padStart(2, '0')}:${String((days * 17 + i * 7) % 60).padStart(2, '0')}`;
      return [[days, time, actor, 'signed_in', { device: (days + i) % 4 === 0 ? 'phone' : 'computer' }]];
    });
  });
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The body of one POST /v2/events. */
export function story(now: Date): { events: object[] } {
  const dateOf = ([days, time]: Line) =>
    `${new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)}T${time}:00Z`;
  const minutesAgo = ([minutes]: Line) => new Date(now.getTime() - minutes * minuteMs).toISOString();
  const dated = (of: Line[], when: (line: Line) => string) => of.map((line) => ({ line, eventDate: when(line) }));
  const all = [...dated(lines, dateOf), ...dated(signIns(now), dateOf), ...dated(lately, minutesAgo)];
  // In the order in which they happened: that is the order in which they arrive.
  all.sort((a, b) => Date.parse(a.eventDate) - Date.parse(b.eventDate));
  return {
    events: all.map(({ line: [, , actor, eventName, eventProperties], eventDate }, i) => {
      return { eventId: `demo-${i + 1}`, ...actor, eventName, eventDate, ...(eventProperties && { eventProperties }) };
    }),
  };
}
