import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { TypedNotice } from '../drafts/typed-notice.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import type { Form } from './use-form.ts';

export interface FormBodyProps {
  form: Pick<Form<unknown>, 'isRestored' | 'restoredText' | 'faults' | 'isBusy' | 'submit' | 'cancel'>;
  /** If missing, the form is read-only. */
  submit?: string;
  cancel?: string;
  isDisabled?: boolean;
  isDanger?: boolean;
  children: ReactNode;
}

/** A form, in a dialog or on a page. Enter submits it. */
export function FormBody({ form, submit, children, ...buttons }: FormBodyProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!buttons.isDisabled) form.submit();
      }}
    >
      <Stack gap="sm">
        <TypedNotice form={form} text={form.restoredText} />
        {children}
        {submit && (
          <DialogButtons
            {...buttons}
            confirm={submit}
            fault={form.faults.form}
            onCancel={form.cancel}
            isBusy={form.isBusy}
          />
        )}
      </Stack>
    </form>
  );
}
