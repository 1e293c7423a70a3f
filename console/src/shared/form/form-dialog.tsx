import type { ModalProps } from '@mantine/core';
import { Modal } from '../dialog.tsx';
import { FormBody, type FormBodyProps } from './form-body.tsx';
import { type Secret, SecretDialog } from './secret-dialog.tsx';
import type { Form } from './use-form.ts';

interface FormDialogProps<Result> extends Omit<FormBodyProps, 'form'>, Pick<ModalProps, 'size'> {
  title: string;
  form: FormBodyProps['form'] & Pick<Form<unknown, string, Result>, 'onClose' | 'result'>;
  /** What the response shows, only once. */
  secret?: (result: Result) => Secret;
}

/** A dialog with a form. It stays open to show errors. */
export function FormDialog<Result>({ title, size, secret, ...body }: FormDialogProps<Result>) {
  const { result, onClose = () => undefined } = body.form;
  if (secret && result !== undefined) return <SecretDialog {...secret(result)} onDone={onClose} />;
  return (
    <Modal opened onClose={onClose} title={title} size={size ?? 'md'}>
      <FormBody {...body} />
    </Modal>
  );
}
