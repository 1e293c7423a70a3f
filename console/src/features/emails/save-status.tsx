import { t } from '../../texts/emails.ts';
import classes from './save-status.module.css';
import type { EmailDraft } from './use-email-draft.ts';

/** Says whether the work is saved; announced when it changes. */
export function SaveStatus({ work }: { work: EmailDraft }) {
  const text = textOf(work);
  const isBad = work.saveState === 'failed' && work.isDirty;
  return (
    <span role="status" className={`${classes.status} ${isBad ? classes.bad : ''}`}>
      {text && <span className={classes.dot} data-unsaved={work.isDirty || undefined} aria-hidden="true" />}
      {text}
    </span>
  );
}

function textOf({ saveState, isDirty, errors }: EmailDraft): string {
  if (saveState === 'saving') return t.saving;
  if (saveState === 'failed' && isDirty) return errors.form ?? t.notSaved;
  if (isDirty) return t.unsaved;
  return saveState === 'saved' ? t.allSaved : '';
}
