// One dialog for a topic that is new and for one that is changed. What a topic is called in the API and by default is asked only once.
import { Select, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { createTopic, type DataValue, type listTopics, type topicVisibilities, updateTopic } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { allEmails } from '../../api/everything.ts';
import { useApi } from '../../api/session/session.tsx';
import { wanted } from '../../shared/form/faults.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { type Form, useForm } from '../../shared/form/use-form.ts';
import { defaults, t, visibilities } from '../../texts/topics.ts';

export type Topic = DataValue<typeof listTopics>;

type Visibility = (typeof topicVisibilities)[number];
type ByDefault = keyof typeof defaults;

interface Fields {
  name: string;
  key: string;
  description: string;
  byDefault: ByDefault;
  visibility: Visibility;
  doubleOptIn: boolean;
  confirmEmailId: string;
}

const labels = {
  name: t.name,
  key: t.key,
  description: t.description,
  byDefault: t.byDefault,
  visibility: t.visibility,
  doubleOptIn: t.doubleOptIn,
  confirmEmailId: t.confirmEmailId,
};

const choices = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  (Object.entries(words) as [Value, string][]).map(([value, label]) => ({ value, label }));

/** Without a topic it makes one. */
export function TopicDialog({ topic, onClose }: { topic?: Topic; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: topic ? `topic-${topic.topicId}` : 'topic',
    initial: fieldsOf(topic),
    labels,
    check: ({ name }) => ({ name: wanted(name, t.nameWanted) }),
    send: async ({ name, key, description, byDefault, visibility, doubleOptIn, confirmEmailId }) => {
      const body = {
        ...{ name: name.trim(), description: description.trim() || null, visibility, doubleOptIn },
        confirmEmailId: confirmEmailId || null,
      };
      if (topic) await api.call(updateTopic, { params: { topicId: topic.topicId }, body });
      else await api.call(createTopic, { body: { ...body, byDefault, ...(key.trim() && { key: key.trim() }) } });
    },
    refresh: ['topics', 'contacts'],
    said: t.saved,
    onClose,
  });
  return (
    <FormDialog form={form} title={topic ? t.editTitle(topic.name) : t.createTitle} submit={topic ? t.save : t.create}>
      <TextInput {...form.text('name')} required maxLength={80} data-autofocus />
      <Textarea {...form.text('description')} description={t.descriptionText} maxLength={500} rows={2} />
      {topic ? (
        <Text c="dimmed">{`${t.key}: ${topic.key}. ${t.byDefault}: ${defaults[topic.byDefault].toLowerCase()}.`}</Text>
      ) : (
        <>
          <TextInput {...form.text('key')} description={t.keyText} maxLength={40} />
          <Select
            {...form.choice('byDefault')}
            description={t.byDefaultText}
            data={choices(defaults)}
            allowDeselect={false}
          />
        </>
      )}
      <Select {...form.choice('visibility')} data={choices(visibilities)} allowDeselect={false} />
      <Switch
        label={labels.doubleOptIn}
        description={t.doubleOptInText}
        checked={form.values.doubleOptIn}
        onChange={(event) => form.set({ doubleOptIn: event.currentTarget.checked })}
      />
      {form.values.doubleOptIn && <ConfirmEmailField form={form} />}
    </FormDialog>
  );
}

function fieldsOf(topic: Topic | undefined): Fields {
  return {
    ...{ name: topic?.name ?? '', key: topic?.key ?? '', description: topic?.description ?? '' },
    ...{ byDefault: topic?.byDefault ?? 'unsubscribed', visibility: topic?.visibility ?? 'public' },
    ...{ doubleOptIn: topic?.doubleOptIn ?? false, confirmEmailId: topic?.confirmEmailId ?? '' },
  };
}

function ConfirmEmailField({ form }: { form: Form<Fields, keyof typeof labels> }) {
  const api = useApi();
  const { data = [] } = useQuery(allEmails(api));
  return (
    <Select
      label={labels.confirmEmailId}
      description={t.confirmEmailText}
      placeholder={t.builtIn}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={form.values.confirmEmailId || null}
      error={form.faults.confirmEmailId}
      onChange={(value) => form.set({ confirmEmailId: value ?? '' })}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': t.builtIn }}
    />
  );
}
