// Another user saved the email first: both versions side by side.
import { ConflictDialog, type ConflictingField } from '../../shared/conflict/conflict-dialog.tsx';
import { CopyButton } from '../../shared/copy-button.tsx';
import { useFolders } from '../../shared/folders/use-folders.ts';
import { t } from '../../texts/emails.ts';
import { outlineOf } from './design/model/outline.ts';
import { changedFields, type Draft, draftOf } from './draft.ts';
import { translationsOutline } from './languages/translations.ts';
import type { EmailDraft, EmailTheirs } from './use-email-draft.ts';

export function EmailConflict({ work, theirs: { stored, by } }: { work: EmailDraft; theirs: EmailTheirs }) {
  const folders = useFolders();
  return (
    <ConflictDialog
      what={t.thisEmail}
      by={by}
      at={stored.data.updatedAt}
      fields={differences(work.draft, draftOf(stored.data), folders.nameOf)}
      onKeepEditing={work.keepEditing}
      onTakeTheirs={work.takeTheirs}
      onOverwrite={() => void work.overwrite()}
    >
      <div>
        {work.draft.design ? (
          <CopyButton text={JSON.stringify(work.draft.design, null, 2)} label={t.copyMyDesign} />
        ) : (
          <CopyButton text={work.draft.html} label={t.copyMine} />
        )}
      </div>
    </ConflictDialog>
  );
}

type NameOf = (folderId: string | null) => string | undefined;

function differences(mine: Draft, theirs: Draft, folderName: NameOf): ConflictingField[] {
  return changedFields(mine, theirs).map((field) => {
    const said = (draft: Draft) => {
      if (field === 'design') return draft.design ? outlineOf(draft.design) : '';
      if (field === 'languages') return translationsOutline(draft.languages);
      return field === 'folderId' ? (folderName(draft.folderId || null) ?? t.noFolder) : draft[field];
    };
    return { label: t.fields[field], mine: said(mine), theirs: said(theirs) };
  });
}
