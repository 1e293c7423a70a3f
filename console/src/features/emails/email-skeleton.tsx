import { Skeleton, VisuallyHidden } from '@mantine/core';
import { t } from '../../texts/emails.ts';
import columns from './content/content-tab.module.css';
import classes from './email-skeleton.module.css';

/** The page before its email has loaded: grey in place of heading, fields and preview. */
export function EmailSkeleton() {
  return (
    <div role="status" className={classes.page}>
      <VisuallyHidden>{`${t.loadingEmail}…`}</VisuallyHidden>
      <Skeleton height={14} width={70} />
      <Skeleton height={28} width={260} />
      <Skeleton height={36} />
      <div className={columns.columns} data-side="edit">
        <div className={columns.edit}>
          <Skeleton height={56} />
          <Skeleton height={56} />
          <Skeleton height={420} />
        </div>
        <div className={columns.preview}>
          <Skeleton height={560} />
        </div>
      </div>
    </div>
  );
}
