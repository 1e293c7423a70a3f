// The beginning of a send: what and to whom. Linked from emails and lists, which are chosen then.
import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useApi } from '../api/session/session.tsx';
import { EmailPicker, ListPicker } from '../features/sends/pickers.tsx';
import { audienceOf, createSend } from '../features/sends/send-api.ts';
import classes from '../features/sends/sends.module.css';
import { BackLink } from '../shared/back-link.tsx';
import { Card } from '../shared/card.tsx';
import { useAction } from '../shared/form/use-action.ts';
import { Page } from '../shared/page.tsx';
import { t } from '../texts/sends.ts';

export default function NewSendPage() {
  const api = useApi();
  const [, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch());
  const [emailId, setEmail] = useState(asked.get('email'));
  const [list, setList] = useState(asked.get('list'));
  const [name, setName] = useState(asked.get('name') ?? '');
  const [isTried, setTried] = useState(false);
  const create = useAction({
    act: () =>
      createSend(api, {
        name: name.trim(),
        ...(emailId === null ? {} : { emailId }),
        ...(list === null ? {} : { audience: audienceOf(list) }),
      }),
    onDone: ({ broadcastId }) => navigate(`/sends/${broadcastId}`, { replace: true }),
    refresh: ['broadcasts'],
  });
  const fault = (isMissing: boolean, words: string) => (isTried && isMissing ? words : undefined);
  const isComplete = emailId !== null && list !== null && name.trim() !== '';
  return (
    <Page title={t.newTitle} lead={t.newLead} above={<BackLink href="/sends" label={t.title} />}>
      <form
        noValidate
        className={classes.narrow}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (isComplete && !create.isPending) create.mutate();
        }}
      >
        <Card>
          <Stack gap="md">
            <EmailPicker
              value={emailId}
              error={fault(emailId === null, t.wantsEmail)}
              onChange={(next, label) => {
                setEmail(next);
                if (name.trim() === '') setName(label);
              }}
            />
            <ListPicker value={list} error={fault(list === null, t.wantsList)} onChange={setList} />
            <TextInput
              label={t.name}
              description={t.nameHint}
              value={name}
              maxLength={255}
              required
              error={fault(name.trim() === '', t.wantsName)}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <div>
              <Button type="submit" loading={create.isPending}>
                {t.goOn}
              </Button>
            </div>
          </Stack>
        </Card>
      </form>
    </Page>
  );
}
