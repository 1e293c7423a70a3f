// Which language to translate an email into: by its name, or by its tag.
import { Autocomplete, Text } from '@mantine/core';
import { languageLimits, readLanguageTag } from '@rapport/contract';
import { useMemo } from 'react';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { languageName, t } from '../../../texts/languages.ts';

interface AddLanguageDialogProps {
  taken: readonly string[];
  onAdd: (tag: string) => void;
  onClose: () => void;
}

// The most spoken in business, to choose from. Any other can be typed.
const common =
  'ar bg bn ca cs da de de-AT de-CH el en en-GB en-US es es-MX et fa fi fr fr-CA he hi hr hu id it ja ko lt lv ms nb nl pl pt pt-BR pt-PT ro ru sk sl sr sv sw ta th tr uk ur vi zh zh-TW'.split(
    ' ',
  );

export function AddLanguageDialog({ taken, onAdd, onClose }: AddLanguageDialogProps) {
  const names = useMemo(
    () => common.filter((tag) => !taken.includes(tag)).map((tag) => ({ tag, name: languageName(tag) })),
    [taken],
  );
  const tagOf = (typed: string) => {
    const asked = typed.trim().toLowerCase();
    const known = names.find(({ name }) => name.toLowerCase() === asked || name.toLowerCase().startsWith(`${asked} (`));
    return known?.tag ?? readLanguageTag(typed.trim());
  };
  const faultOf = (typed: string) => {
    const tag = tagOf(typed);
    if (tag === undefined) return t.noLanguage;
    if (taken.includes(tag)) return t.alreadyThere(languageName(tag));
    return taken.length >= languageLimits.languages ? t.tooMany(languageLimits.languages) : undefined;
  };
  const form = useForm({
    draft: 'email-language:new',
    initial: { language: '' },
    labels: { language: t.field },
    check: ({ language }) => ({ language: faultOf(language) }),
    send: ({ language }) => tagOf(language) ?? '',
    onSent: onAdd,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.add} submit={t.add}>
      <Text c="dimmed">{t.addText}</Text>
      <Autocomplete
        {...form.choice('language')}
        placeholder={t.fieldHint}
        data={names.map(({ name }) => name)}
        maxDropdownHeight={220}
        openOnFocus={false}
        required
        data-autofocus
      />
    </FormDialog>
  );
}
