import { Button, Text, TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { type DataValue, type getDefaultSender, setDefaultSender } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { FactList } from '../../../shared/facts/fact-list.tsx';
import { FormBody } from '../../../shared/form/form-body.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { useForm } from '../../../shared/form/use-form.ts';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { sender as t } from '../../../texts/default-sender.ts';
import { t as words } from '../../../texts/shared.ts';
import { SenderField } from '../../emails/content/sender-field.tsx';
import { faultsOf, fieldErrorsOf } from '../../emails/field-errors.ts';
import { defaultSenderQuery, fieldsOfSender, type SenderFields } from '../../emails/list/default-sender.ts';
import classes from '../settings.module.css';

type Sender = DataValue<typeof getDefaultSender>;

/** The sender that new emails begin with: admins change it, others read it. */
export function DefaultSender() {
  const api = useApi();
  const { isAdmin, canWrite } = useRights();
  const { data, error, refetch } = useQuery(defaultSenderQuery(api));
  return (
    <Card title={t.title}>
      <Text c="dimmed" mb="sm">
        {t.about}
      </Text>
      {!data && !error && <LoadingState label={words.loading} />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (isAdmin && canWrite ? <SenderForm sender={data} /> : <SenderFacts sender={data} />)}
    </Card>
  );
}

function SenderFacts({ sender: { fromEmail, replyTo } }: { sender: Sender }) {
  return (
    <FactList
      facts={[
        { name: t.fromEmail, value: fromEmail?.email ?? t.none },
        { name: t.fromName, value: fromEmail?.name ?? t.none },
        { name: t.replyTo, value: replyTo ?? t.replyToHint },
      ]}
    />
  );
}

function SenderForm({ sender }: { sender: Sender }) {
  const api = useApi();
  const queries = useQueryClient();
  const initial = fieldsOfSender(sender);
  const store = async ({ fromEmail, fromName, replyTo }: SenderFields) => {
    const from = fromEmail === '' ? null : { email: fromEmail, name: fromName.trim() || null };
    const { data } = await api.call(setDefaultSender, { body: { fromEmail: from, replyTo: replyTo.trim() || null } });
    queries.setQueryData(defaultSenderQuery(api).queryKey, data);
  };
  const form = useForm({
    draft: 'default-sender',
    initial,
    labels: { fromEmail: t.fromEmail, fromName: t.fromName, replyTo: t.replyTo },
    check: ({ fromEmail, replyTo }) => {
      const { fromEmail: ofSender, replyTo: ofReplies } = faultsOf({ fromEmail, replyTo });
      return { fromEmail: ofSender, replyTo: ofReplies };
    },
    send: store,
    refused: (error, fields) => {
      if (!(error instanceof ApiFailure)) return { form: error.message };
      const { fromEmail, fromName, replyTo, form: other } = fieldErrorsOf(error, fields);
      return { fromEmail, fromName, replyTo, form: other };
    },
    said: t.saved,
  });
  const removal = useAction({ act: () => store({ fromEmail: '', fromName: '', replyTo: '' }), said: t.removed });
  const isDirty = JSON.stringify(form.values) !== JSON.stringify(initial);
  const isSet = sender.fromEmail !== null || sender.replyTo !== null;
  return (
    <div className={classes.form}>
      <FormBody form={{ ...form, isRestored: form.isRestored && isDirty }} submit={t.save} isDisabled={!isDirty}>
        <SenderField {...form.choice('fromEmail')} />
        <TextInput {...form.text('fromName')} maxLength={255} />
        <TextInput {...form.text('replyTo')} type="email" placeholder={t.replyToHint} spellCheck={false} />
        {isSet && !isDirty && (
          <Button
            variant="default"
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            loading={removal.isPending}
            onClick={() => removal.mutate()}
          >
            {t.remove}
          </Button>
        )}
      </FormBody>
    </div>
  );
}
