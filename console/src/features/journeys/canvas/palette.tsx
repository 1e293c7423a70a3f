import { TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { SearchIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import type { StepType } from '../model/definition.ts';
import { lastPlace, placeAfter } from '../model/edit.ts';
import { findSteps } from '../model/find-steps.ts';
import dialog from './add-step-dialog.module.css';
import { useCanvasWorld } from './canvas-context.ts';
import classes from './palette.module.css';
import { stepLooks } from './step-look.tsx';

/** Steps to drag onto a line or another step. A click inserts one after the open step, or else at the end. */
export function Palette() {
  const { definition, selected, insert } = useCanvasWorld();
  const [search, setSearch] = useState('');
  const place = (selected && placeAfter(definition, selected)) || lastPlace(definition);
  const found = findSteps(search);
  return (
    <fieldset className={classes.palette} aria-label={t.palette}>
      <TextInput
        size="xs"
        className={classes.search ?? ''}
        aria-label={t.findStep}
        placeholder={t.findStep}
        leftSection={<SearchIcon size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.map((type) => (
        <Item
          key={type}
          type={type}
          onClick={() => {
            setSearch('');
            insert(place, type);
          }}
        />
      ))}
      {found.length === 0 && <p className={classes.none}>{t.addNothing}</p>}
    </fieldset>
  );
}

function Item({ type, onClick }: { type: StepType; onClick: () => void }) {
  const { drag } = useCanvasWorld();
  const { title, text } = stepTexts.steps[type];
  return (
    <Tooltip label={`${text}. ${t.paletteHint}`} position="right">
      <UnstyledButton
        className={classes.item ?? ''}
        aria-label={title}
        draggable
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'copy';
          event.dataTransfer.setData('text/plain', title);
          drag(type);
        }}
        onDragEnd={() => drag(undefined)}
        onClick={onClick}
      >
        <span className={dialog.sign} data-tone={stepLooks[type].tone}>
          {stepLooks[type].icon}
        </span>
        <span className={classes.word}>{title}</span>
      </UnstyledButton>
    </Tooltip>
  );
}
