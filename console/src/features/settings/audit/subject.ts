// What an entry of the audit log is about: its name where the log has kept one, and its page where it has one.
import type { DataValue, listAuditLog } from '@rapport/contract';

export type AuditEntry = DataValue<typeof listAuditLog>;

type About = Pick<AuditEntry, 'action' | 'subject' | 'detail'>;

export function subjectName({ subject, detail }: About): string | null {
  return subject !== null && typeof detail.name === 'string' ? detail.name : subject;
}

export function subjectPage({ action, subject }: About): string | undefined {
  if (subject === null || action === 'journey.deleted' || action === 'contact.erased') return undefined;
  const [kind] = action.split('.');
  return kind === 'journey' || kind === 'contact' ? `/${kind}s/${encodeURIComponent(subject)}` : undefined;
}
