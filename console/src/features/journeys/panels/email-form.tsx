// The email of a step: chosen or written here, and seen as it looks. The journey's unsaved changes stay meanwhile.
import { Button, Group, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { previewSavedEmail } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { EditIcon, EyeIcon, PlusIcon } from '../../../shared/icons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { SafePreview } from '../../../shared/safe-preview.tsx';
import { t } from '../../../texts/journey-steps.ts';
import type { Assets } from '../editing/use-assets.ts';
import { AssetSelect } from '../fields/small-fields.tsx';
import type { SendEmail } from '../model/definition.ts';
import classes from './email-form.module.css';
import type { StepForm } from './step-form.ts';

const CreateEmailDialog = lazy(async () => ({
  default: (await import('../../emails/list/create-email-dialog.tsx')).CreateEmailDialog,
}));

interface EmailFormProps extends StepForm<SendEmail> {
  assets: Assets;
  journeyId: string;
}

export function EmailForm({ step, isReadOnly, change, assets, journeyId }: EmailFormProps) {
  const [isWriting, dialog] = useDisclosure(false);
  const { emailId } = step;
  return (
    <>
      <AssetSelect
        {...{ label: t.email, placeholder: t.missing.email, data: assets.emails, isReadOnly }}
        value={emailId}
        onChange={(chosen) => change({ ...step, emailId: chosen })}
      />
      {emailId && <Thumbnail emailId={emailId} />}
      <Group gap="xs">
        {emailId && (
          <Button
            component={Link}
            href={`/emails/${emailId}?${new URLSearchParams({ journey: journeyId, step: step.id })}`}
            variant="default"
            size="xs"
            leftSection={isReadOnly ? <EyeIcon size={14} /> : <EditIcon size={14} />}
          >
            {isReadOnly ? t.openEmail : t.editEmail}
          </Button>
        )}
        {!isReadOnly && (
          <Button variant="default" size="xs" leftSection={<PlusIcon size={14} />} onClick={dialog.open}>
            {t.writeEmail}
          </Button>
        )}
      </Group>
      <Switch
        label={t.transactionalLabel}
        description={t.transactionalHint}
        checked={step.transactional ?? false}
        disabled={isReadOnly}
        onChange={(event) => change({ ...step, transactional: event.currentTarget.checked || undefined })}
      />
      {isWriting && (
        <Suspense fallback={<LoadingState label={t.writeEmail} />}>
          <CreateEmailDialog onClose={dialog.close} onCreated={({ id }) => change({ ...step, emailId: id })} />
        </Suspense>
      )}
    </>
  );
}

/** As someone without properties would get it. Nothing in it can be reached or clicked. */
function Thumbnail({ emailId }: { emailId: string }) {
  const api = useApi();
  const { data, error, refetch } = useQuery(dataOf(api, previewSavedEmail, { params: { id: emailId } }));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} compact />;
  if (!data) return <LoadingState label={t.emailPreview} />;
  return (
    <figure className={classes.figure}>
      <div className={classes.room} inert>
        <div className={classes.paper}>
          <SafePreview html={data.html} title={data.subject} />
        </div>
      </div>
      <figcaption className={classes.caption}>
        <Text span size="sm" fw={500}>
          {data.subject}
        </Text>
      </figcaption>
    </figure>
  );
}
