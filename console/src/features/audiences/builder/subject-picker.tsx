import { Combobox, ScrollArea, UnstyledButton, useCombobox } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ChevronDownIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/filter.ts';
import { useBuilder } from './builder-context.ts';
import { labelOf } from './condition-label.ts';
import { beginCondition } from './model/begin.ts';
import type { FilterJson } from './model/filter-json.ts';
import { usePickerGroups } from './picker-choices.ts';
import classes from './subject-picker.module.css';

interface SubjectPickerProps {
  id: string;
  json: FilterJson;
  onChange: (json: FilterJson) => void;
}

/** The subject of a condition. Opens by itself for a new one, so that adding takes one key and typing. */
export function SubjectPicker({ id, json, onChange }: SubjectPickerProps) {
  const { fresh, setFresh, isReadOnly } = useBuilder();
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
  });
  const isFresh = fresh === id;
  const target = useRef<HTMLButtonElement>(null);
  const label = labelOf(json);
  const groups = usePickerGroups(search, combobox.dropdownOpened);
  const shown = groups.map(({ choices }) => choices.map((choice) => choice.id).join()).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once, when the condition is new
  useEffect(() => {
    if (!isFresh) return;
    // A picker whose condition is out of view would not be shown.
    target.current?.scrollIntoView({ block: 'center' });
    combobox.openDropdown();
    setFresh(undefined);
  }, [isFresh]);
  // Enter takes the first match.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever other choices are shown
  useEffect(() => {
    if (combobox.dropdownOpened) combobox.selectFirstOption();
  }, [combobox.dropdownOpened, shown]);
  return (
    <Combobox
      store={combobox}
      width={360}
      position="bottom-start"
      onOptionSubmit={(chosen) => {
        const choice = groups.flatMap(({ choices }) => choices).find((each) => each.id === chosen);
        if (choice) onChange(beginCondition(choice, json));
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target targetType="button" withAriaAttributes>
        <UnstyledButton
          ref={target}
          className={classes.subject ?? ''}
          disabled={isReadOnly}
          aria-label={label ? `${t.about}: ${label.kind} ${label.name}` : t.chooseSubject}
          onClick={() => combobox.toggleDropdown()}
        >
          {label ? (
            <>
              <span className={classes.kind}>{label.kind}</span>{' '}
              {label.name && <span className={classes.name}>{label.name}</span>}
            </>
          ) : (
            <span className={classes.placeholder}>{t.chooseSubject}</span>
          )}
          {!isReadOnly && <ChevronDownIcon size={14} />}
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label={t.chooseSubjectHint}
          placeholder={t.chooseSubjectHint}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
        />
        <Combobox.Options>
          <ScrollArea.Autosize mah={320} type="scroll">
            {groups.map(({ title, choices }) => (
              <Combobox.Group key={title} label={title}>
                {choices.map((choice) => (
                  <Combobox.Option key={choice.id} value={choice.id} className={classes.choice ?? ''}>
                    <span>{choice.label}</span> {choice.hint && <span className={classes.hint}>{choice.hint}</span>}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {groups.length === 0 && <Combobox.Empty>{t.nobodyFits}</Combobox.Empty>}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
