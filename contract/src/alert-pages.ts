// Kinds of alerts, and where the console tells more about each. Needs no package, so that browsers have it too.
export const alertKinds = ['bounces', 'complaints', 'journeyStopped', 'listHalved'] as const;
export type AlertKind = (typeof alertKinds)[number];
export const alertStates = ['open', 'closed'] as const;
export const alertSubjects = ['mail', 'journey', 'staticList', 'dynamicList'] as const;
export type AlertSubjectType = (typeof alertSubjects)[number];

interface About {
  kind: AlertKind;
  subject: { type: AlertSubjectType; id: string | null; name: string | null };
}

/** The page of the console that tells more, below its base. */
export function pageOfAlert({ kind, subject: { type, id, name } }: About): string {
  if (type === 'mail') return kind === 'bounces' ? '/messages?state=bounced' : '/reports/domains';
  // What was deleted has no page.
  if (name === null) return '/settings/alerts';
  if (type === 'journey') return `/journeys/${id}`;
  return `/lists/${type === 'staticList' ? 'static' : 'dynamic'}/${id}/growth`;
}
