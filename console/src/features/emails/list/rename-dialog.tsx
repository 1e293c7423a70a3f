import { ApiFailure } from '@rapport/client';
import { useQueryClient } from '@tanstack/react-query';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { RenameForm } from '../../../shared/editable-title.tsx';
import { t as words } from '../../../texts/shared.ts';
import { type EmailRow, patchEmail } from '../email-api.ts';
import { fieldErrorsOf } from '../field-errors.ts';

export function RenameDialog({ email, onClose }: { email: EmailRow; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const rename = async (name: string) => {
    try {
      await patchEmail(api, email.id, { name });
      await queries.invalidateQueries(about('emails'));
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiFailure)) return (error as Error).message;
      const { name: refusal, form } = fieldErrorsOf(error, { name });
      return refusal ?? form ?? error.message;
    }
  };
  return (
    <Modal opened onClose={onClose} title={words.rename}>
      <RenameForm of={`email:${email.id}`} name={email.name} rename={rename} onClose={onClose} />
    </Modal>
  );
}
