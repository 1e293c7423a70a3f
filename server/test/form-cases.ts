import type { Things } from './tenant-things.js';

const onForm = [(of: Things) => ({ path: { formId: of.formId } })];
const formOf = (change: object) => ({
  ...{
    name: 'x',
    fields: [{ property: 'email', label: 'Email', type: 'email' }],
    topicIds: [],
    consentText: 'Yes',
    ...change,
  },
});

/** As in route-cases.ts. */
export const formCases = {
  ...{ listForms: [], getForm: onForm, deleteForm: onForm, listFormSubmissions: onForm, getFormDays: onForm },
  createForm: [
    (of: Things) => ({ body: formOf({ topicIds: [of.topicId] }) }),
    (of: Things) => ({ body: formOf({ listId: of.listId }) }),
  ],
  updateForm: [
    (of: Things) => ({ path: { formId: of.formId }, body: { name: 'x' } }),
    (of: Things, own: Things) => ({ path: { formId: own.formId }, body: { topicIds: [of.topicId] } }),
    (of: Things, own: Things) => ({ path: { formId: own.formId }, body: { listId: of.listId } }),
  ],
};
