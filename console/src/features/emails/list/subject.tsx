import { previewSavedEmail } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import type { EmailRow } from '../email-api.ts';
import classes from './emails.module.css';
import { subjectParts } from './subject-parts.ts';

/** The subject as it reads, not as it is written. */
export function Subject({ email, className }: { email: EmailRow; className: string | undefined }) {
  const parts = subjectParts(email.subject);
  if (!parts) return <AskedSubject email={email} className={className} />;
  return (
    <span className={className}>
      {parts.map(({ at, text, isValue }) =>
        isValue ? (
          <span key={at} className={classes.value}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </span>
  );
}

/** A subject with conditions or filters, which is rare: the service renders it as for a contact without properties. */
function AskedSubject({ email, className }: { email: EmailRow; className: string | undefined }) {
  const api = useApi();
  const { data } = useQuery({
    ...dataOf(api, previewSavedEmail, { params: { id: email.id } }, { updatedAt: email.updatedAt }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <span className={className}>{data?.subject ?? email.subject}</span>;
}
