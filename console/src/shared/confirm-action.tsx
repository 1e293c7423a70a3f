import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface ConfirmActionProps<Subject> {
  /** What it is asked about; undefined while nothing is asked. */
  subject: Subject | undefined;
  title: (subject: Subject) => string;
  text: (subject: Subject) => string;
  confirm: string;
  act: (subject: Subject) => Promise<unknown>;
  onDone?: (subject: Subject) => void;
  onClose: () => void;
}

/** Asks, does it, and closes once it is done; what was refused is said in the dialog. */
export function ConfirmAction<Subject>(props: ConfirmActionProps<Subject>) {
  const { subject, title, text, confirm, act, onDone, onClose } = props;
  const action = useMutation({
    mutationFn: act,
    onSuccess: (_, done) => {
      onDone?.(done);
      onClose();
    },
  });
  const close = () => {
    action.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      // Stays in the tree while it is closed: the focus goes back to where it was.
      opened={subject !== undefined}
      title={subject === undefined ? '' : title(subject)}
      text={subject === undefined ? '' : text(subject)}
      confirm={confirm}
      busy={action.isPending}
      error={action.error}
      onConfirm={() => subject !== undefined && action.mutate(subject)}
      onCancel={close}
    />
  );
}
