import { ApiFailure } from '@rapport/client';
import { createDynamicList } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { TypedNotice } from '../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { useGoOn } from '../../shared/use-go-on.ts';
import { t } from '../../texts/audience.ts';
import type { FilterJson } from './builder/filter-builder.tsx';
import { ListFields } from './list-fields.tsx';

/** A filter becomes a dynamic list: it gets a name, and goes on finding people. */
export function SaveListDialog({ filter, onClose }: { filter: FilterJson; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const form = useTyped('dynamic-list', { name: '', description: '' });
  const { name, description } = form.values;
  const [isAsked, setAsked] = useState(false);
  const save = useMutation({
    mutationFn: async () => {
      const body = { name: name.trim(), filter, description: description.trim() || undefined };
      return (await api.call(createDynamicList, { body })).data;
    },
    onSuccess: ({ dynamicListId }) => {
      form.forget();
      void queries.invalidateQueries(about('dynamic-lists'));
      void queries.invalidateQueries(about('lists'));
      goOn(`/lists/dynamic/${dynamicListId}`);
    },
  });
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = () => {
    setAsked(true);
    if (name.trim() !== '') save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.saveAsList}>
      <DialogForm
        submit={t.save}
        isBusy={save.isPending}
        fault={save.error instanceof ApiFailure ? save.error.message : save.error ? t.notSaved : undefined}
        onSubmit={submit}
        onCancel={cancel}
      >
        <TypedNotice form={form} />
        <ListFields form={form} isAsked={isAsked} />
      </DialogForm>
    </Modal>
  );
}
