import { Button, Menu } from '@mantine/core';
import { memo, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { BroadcastIcon, CodeIcon, CopyIcon, SendIcon, TrashIcon } from '../../shared/icons.tsx';
import { CopyIdItem, MoreMenu } from '../../shared/more-menu.tsx';
import { noticeWithUndo } from '../../shared/undo-notice.tsx';
import { t } from '../../texts/emails.ts';
import type { Draft } from './draft.ts';
import { compileDesign, removeEmail } from './email-api.ts';
import { useLanguage, useTexts } from './languages/use-texts.ts';
import { SaveStatus } from './save-status.tsx';
import { TestSendDialog } from './test-send-dialog.tsx';
import { useDuplicate } from './use-duplicate.ts';
import type { EmailDraft } from './use-email-draft.ts';

/** What is asked in a dialog. */
type Question = 'test' | 'html' | 'delete';

export function EmailActions({ work, onLeave }: { work: EmailDraft; onLeave: () => void }) {
  const api = useApi();
  const [open, setOpen] = useState<Question>();
  const [isDeleted, setDeleted] = useState(false);
  const { id, name } = work.email;
  const { language } = useLanguage(work);
  const { design } = useTexts(work, language);
  const duplicate = useDuplicate();
  const [, navigate] = useLocation();
  const close = () => setOpen(undefined);
  // After the leave guard has been released, which takes a render.
  useEffect(() => {
    if (isDeleted) navigate('/emails', { replace: true });
  }, [isDeleted, navigate]);
  return (
    <>
      <SaveStatus work={work} />
      <Buttons
        {...{ id, name, isDirty: work.isDirty, hasDesign: design !== null }}
        isSaving={work.saveState === 'saving'}
        save={work.save}
        duplicate={duplicate.mutate}
        ask={setOpen}
      />
      {open === 'test' && <TestSendDialog work={work} language={language} onClose={close} />}
      {open === 'html' && design && (
        <ConfirmDialog
          title={t.toHtmlTitle}
          text={t.toHtmlText}
          confirm={t.toHtml}
          act={() => compileDesign(api, design, language)}
          onDone={(html) => {
            work.edit((now) => asHtml(now, language, html));
            noticeWithUndo(t.isHtmlNow, () => work.dispatch({ type: 'undo' }));
          }}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle}
          text={t.deleteText(name)}
          confirm={t.deleteEmail}
          act={() => removeEmail(api, id)}
          onDone={() => {
            work.forget();
            onLeave();
            setDeleted(true);
          }}
          refresh={['emails']}
          onClose={close}
        />
      )}
    </>
  );
}

interface ButtonsProps {
  id: string;
  name: string;
  isDirty: boolean;
  isSaving: boolean;
  hasDesign: boolean;
  save: () => Promise<boolean>;
  duplicate: (id: string) => void;
  ask: (question: Question) => void;
}

/** Not drawn again with every edit of the email. */
const Buttons = memo(function Buttons(props: ButtonsProps) {
  const { id, name, isDirty, isSaving, hasDesign, save, duplicate, ask } = props;
  return (
    <>
      <Button variant="default" leftSection={<SendIcon />} onClick={() => ask('test')}>
        {t.sendTest}
      </Button>
      <Button onClick={() => void save()} disabled={!isDirty} loading={isSaving}>
        {t.save}
      </Button>
      <MoreMenu label={t.moreActions} isOfPage>
        <Menu.Item
          component={Link}
          href={`/sends/new?${new URLSearchParams({ email: id, name })}`}
          leftSection={<BroadcastIcon />}
        >
          {t.sendToList}
        </Menu.Item>
        <Menu.Item leftSection={<CopyIcon />} onClick={() => duplicate(id)}>
          {t.duplicate}
        </Menu.Item>
        <CopyIdItem id={id} />
        {hasDesign && (
          <Menu.Item leftSection={<CodeIcon />} onClick={() => ask('html')}>
            {t.toHtml}
          </Menu.Item>
        )}
        <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={() => ask('delete')}>
          {t.deleteEmail}
        </Menu.Item>
      </MoreMenu>
    </>
  );
});

/** The email, or one of its translations, without its design. */
function asHtml(now: Draft, language: string | undefined, html: string): Draft {
  const translation = language === undefined ? undefined : now.languages[language];
  if (language === undefined || !translation) return { ...now, design: null, html };
  return { ...now, languages: { ...now.languages, [language]: { ...translation, design: null, html } } };
}
