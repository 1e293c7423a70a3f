// The forms that pages and posts name. Requests that arrive during a lookup share the next one, which begins after they arrived, so that a form that was
// closed or changed is so for all of them.
import type { Database } from '../../../db/database.js';
import { GroupCommit } from '../../../work/group-commit.js';
import { type PublicForm, selectPublicForms } from '../queries.js';

interface Wanted {
  tenantId: number;
  formId: string;
}
export type FindForm = (wanted: Wanted) => Promise<PublicForm | undefined>;

export function formFinder(db: Database): FindForm {
  const looks = new GroupCommit<Wanted, PublicForm | undefined>({
    keyOf: ({ tenantId }) => tenantId,
    sizeOf: ({ formId }) => formId.length,
    commit: async (wanted) => {
      const tenantId = wanted[0]?.tenantId as number;
      const ids = wanted.map(({ formId }) => formId);
      const forms = await selectPublicForms(db, tenantId, [...new Set(ids)]);
      const byId = new Map(forms.map((form) => [form.formId, form]));
      return ids.map((id) => byId.get(id));
    },
  });
  return (wanted) => looks.add(wanted);
}
