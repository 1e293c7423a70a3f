import { Text, TextInput, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { Modal } from '../../../shared/dialog.tsx';
import { SearchIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import type { StepType } from '../model/definition.ts';
import { findSteps } from '../model/find-steps.ts';
import classes from './add-step-dialog.module.css';
import { stepLooks } from './step-look.tsx';

/** Asks which step: typing filters, Enter takes the first, arrow keys move between them. */
export function AddStepDialog({ onPick, onClose }: { onPick: (type: StepType) => void; onClose: () => void }) {
  const [search, setSearch] = useState('');
  const found = findSteps(search);
  const [first] = found;
  return (
    <Modal opened onClose={onClose} title={t.addTitle} size="lg">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the arrow keys of the buttons inside */}
      <div onKeyDown={moveFocus}>
        <TextInput
          data-autofocus
          aria-label={t.addSearch}
          placeholder={t.addSearch}
          leftSection={<SearchIcon />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !first) return;
            event.preventDefault();
            onPick(first);
          }}
        />
        <div className={classes.types}>
          {found.map((type) => (
            <UnstyledButton key={type} className={classes.type} onClick={() => onPick(type)} data-choice>
              <span className={classes.sign} data-tone={stepLooks[type].tone}>
                {stepLooks[type].icon}
              </span>
              <span>
                <Text span fw={500} display="block">
                  {stepTexts.steps[type].title}
                </Text>
                <Text span size="sm" c="dimmed">
                  {stepTexts.steps[type].text}
                </Text>
              </span>
            </UnstyledButton>
          ))}
        </div>
        {!first && (
          <Text c="dimmed" mt="md">
            {t.addNothing}
          </Text>
        )}
      </div>
    </Modal>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 2, ArrowUp: -2, ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const isTyping = event.target instanceof HTMLInputElement;
  if (step === undefined || (isTyping && event.key !== 'ArrowDown')) return;
  event.preventDefault();
  const choices = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-choice]')];
  const at = choices.indexOf(event.target as HTMLElement);
  choices[isTyping ? 0 : Math.max(0, Math.min(choices.length - 1, at + step))]?.focus();
}
