// What is sent, and to whom.
import { Anchor, Select, type SelectProps, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { allEmails, allLists } from '../../api/everything.ts';
import { useApi } from '../../api/session/session.tsx';
import { t } from '../../texts/sends.ts';

interface PickerProps {
  value: string | null;
  onChange: (value: string, label: string) => void;
  isReadOnly?: boolean;
  error?: string | undefined;
}

export function EmailPicker({ label = t.email, ...picker }: PickerProps & { label?: string }) {
  const { data } = useQuery(allEmails(useApi()));
  const choices = (data ?? []).map(({ emailId, name }) => ({ value: emailId, label: name }));
  return (
    <div>
      <Picker label={label} placeholder={t.emailHint} data={choices} {...picker} />
      {data?.length === 0 && <Missing text={t.noEmails} href="/emails" link={t.writeEmail} />}
    </div>
  );
}

export function ListPicker(picker: PickerProps) {
  const { data } = useQuery(allLists(useApi()));
  const fixed = (data ?? []).flatMap((list) =>
    list.type === 'static' ? [{ value: `static:${list.staticListId}`, label: list.name }] : [],
  );
  const dynamic = (data ?? []).flatMap((list) =>
    list.type === 'dynamic' ? [{ value: `dynamic:${list.dynamicListId}`, label: list.name ?? '' }] : [],
  );
  const groups = [
    { group: t.dynamicLists, items: dynamic },
    { group: t.staticLists, items: fixed },
  ];
  return (
    <div>
      <Picker label={t.list} placeholder={t.listHint} data={groups} {...picker} />
      {data?.length === 0 && <Missing text={t.noLists} href="/lists" link={t.createList} />}
    </div>
  );
}

function Picker({
  onChange,
  isReadOnly = false,
  ...rest
}: PickerProps & Pick<SelectProps, 'label' | 'placeholder' | 'data'>) {
  return (
    <Select
      onChange={(next, chosen) => next && onChange(next, chosen?.label ?? '')}
      readOnly={isReadOnly}
      allowDeselect={false}
      searchable
      limit={100}
      required
      {...rest}
    />
  );
}

function Missing({ text, href, link }: { text: string; href: string; link: string }) {
  return (
    <Text size="sm" mt={4}>
      {text}{' '}
      <Anchor component={Link} href={href} inherit underline="always">
        {link}
      </Anchor>
    </Text>
  );
}
