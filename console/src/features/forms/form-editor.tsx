// What a form asks, what people agree to, and what follows, with a preview beside it.
import { MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { updateForm } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allLists, allTopics } from '../../api/everything.ts';
import { useApi } from '../../api/session/session.tsx';
import { wanted } from '../../shared/form/faults.ts';
import { FormBody } from '../../shared/form/form-body.tsx';
import { type Form as FormState, useForm } from '../../shared/form/use-form.ts';
import { t } from '../../texts/forms.ts';
import { countFaults, draftsOf, type FieldDraft, faultsOfFields, hasEmail, inputOf, linesOf } from './field-drafts.ts';
import { FieldList } from './field-list.tsx';
import type { Form } from './form-api.ts';
import { FormPreview } from './form-preview.tsx';
import classes from './forms.module.css';

const endings = ['usual', 'message', 'url'] as const;
type Ending = (typeof endings)[number];

interface Fields {
  name: string;
  fields: FieldDraft[];
  topicIds: string[];
  listId: string;
  consentText: string;
  ending: Ending;
  message: string;
  url: string;
  allowedOrigins: string;
}

const labels = {
  ...{ name: t.name, fields: t.fields, topicIds: t.topicIds, listId: t.listId, consentText: t.consentText },
  ...{ success: t.after, message: t.message, url: t.url, allowedOrigins: t.allowedOrigins, ending: t.after },
};
type Label = keyof typeof labels;

export function FormEditor({ form: stored, isReadOnly }: { form: Form; isReadOnly: boolean }) {
  const api = useApi();
  const [isAsked, setAsked] = useState(false);
  const form = useForm<Fields, Label, unknown>({
    draft: `form-${stored.formId}`,
    initial: fieldsOf(stored),
    labels,
    check: (values) => ({
      name: wanted(values.name, t.nameWanted),
      consentText: wanted(values.consentText, t.fault.label),
      fields: faultOf(values.fields),
      ...(values.ending === 'url' && { url: /^https?:\/\/./i.test(values.url.trim()) ? undefined : t.urlWanted }),
      ...(values.ending === 'message' && { message: wanted(values.message, t.fault.label) }),
    }),
    send: async (values) => api.call(updateForm, { params: { formId: stored.formId }, body: bodyOf(values) }),
    refresh: ['forms'],
    said: t.saved,
    staysOpen: 'progress',
  });
  const submit = () => {
    setAsked(true);
    form.submit();
  };
  const { values } = form;
  return (
    <div className={classes.columns}>
      <FormBody form={{ ...form, submit }} {...(isReadOnly ? {} : { submit: t.save })}>
        <TextInput {...form.text('name')} required maxLength={255} readOnly={isReadOnly} />
        <FieldList
          fields={values.fields}
          faults={isAsked ? faultsOfFields(values.fields) : []}
          isReadOnly={isReadOnly}
          onChange={(fields) => form.set({ fields })}
        />
        <Textarea
          {...form.text('consentText')}
          description={t.consentTextText}
          required
          maxLength={1000}
          rows={3}
          readOnly={isReadOnly}
        />
        <Whereto form={form} isReadOnly={isReadOnly} />
        <After form={form} isReadOnly={isReadOnly} />
        <Textarea
          {...form.text('allowedOrigins')}
          description={t.allowedOriginsText}
          rows={2}
          readOnly={isReadOnly}
          spellCheck={false}
        />
      </FormBody>
      <FormPreview name={values.name} fields={values.fields} consentText={values.consentText} />
    </div>
  );
}

interface PartProps {
  form: FormState<Fields, Label>;
  isReadOnly: boolean;
}

/** Topics and the list. */
function Whereto({ form, isReadOnly }: PartProps) {
  const api = useApi();
  const { data: topics = [] } = useQuery(allTopics(api));
  const { data: lists = [] } = useQuery(allLists(api));
  const choices = lists.flatMap((list) =>
    list.type === 'static' ? { value: list.staticListId, label: list.name } : [],
  );
  return (
    <>
      <MultiSelect
        label={labels.topicIds}
        description={t.topicIdsText}
        data={topics.map(({ topicId, name }) => ({ value: topicId, label: name }))}
        value={form.values.topicIds}
        error={form.faults.topicIds}
        readOnly={isReadOnly}
        onChange={(topicIds) => form.set({ topicIds })}
        searchable
      />
      <Select
        label={labels.listId}
        description={t.listIdText}
        placeholder={t.noList}
        data={choices}
        value={form.values.listId || null}
        error={form.faults.listId}
        readOnly={isReadOnly}
        onChange={(value) => form.set({ listId: value ?? '' })}
        clearable={!isReadOnly}
        searchable
        clearButtonProps={{ 'aria-label': t.noList }}
      />
    </>
  );
}

const endingChoices = [
  { value: 'usual', label: t.afterUsual },
  { value: 'message', label: t.afterMessage },
  { value: 'url', label: t.afterUrl },
];

function After({ form, isReadOnly }: PartProps) {
  const { ending } = form.values;
  return (
    <>
      <Select
        label={t.after}
        data={endingChoices}
        value={ending}
        error={form.faults.success}
        readOnly={isReadOnly}
        allowDeselect={false}
        onChange={(value) => {
          const next = endings.find((one) => one === value);
          if (next) form.set({ ending: next });
        }}
      />
      {ending === 'message' && <Textarea {...form.text('message')} maxLength={1000} rows={2} readOnly={isReadOnly} />}
      {ending === 'url' && <TextInput {...form.text('url')} maxLength={2000} readOnly={isReadOnly} />}
    </>
  );
}

function faultOf(fields: readonly FieldDraft[]): string | undefined {
  if (!hasEmail(fields)) return t.fault.email;
  const count = countFaults(fields);
  return count === 0 ? undefined : t.wanted(count);
}

function fieldsOf({ name, fields, topicIds, listId, consentText, success, allowedOrigins }: Form): Fields {
  return {
    ...{ name, topicIds: [...topicIds], listId: listId ?? '', consentText, fields: draftsOf(fields) },
    ending: success?.url !== undefined ? 'url' : success?.message !== undefined ? 'message' : 'usual',
    ...{ message: success?.message ?? '', url: success?.url ?? '', allowedOrigins: allowedOrigins.join('\n') },
  };
}

function bodyOf({ name, fields, topicIds, listId, consentText, ending, message, url, allowedOrigins }: Fields) {
  const success = { usual: null, message: { message: message.trim() }, url: { url: url.trim() } }[ending];
  return {
    ...{ name: name.trim(), fields: inputOf(fields), topicIds, listId: listId || null },
    ...{ consentText: consentText.trim(), success, allowedOrigins: linesOf(allowedOrigins) },
  };
}
