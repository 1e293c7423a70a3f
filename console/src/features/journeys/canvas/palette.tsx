import { Tooltip, UnstyledButton } from '@mantine/core';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { stepTypes } from '../model/definition.ts';
import { lastPlace, placeAfter } from '../model/edit.ts';
import dialog from './add-step-dialog.module.css';
import { useCanvasWorld } from './canvas-context.ts';
import classes from './palette.module.css';
import { stepLooks } from './step-look.tsx';

/** Steps to drag onto a line or another step. A click inserts one after the open step, or else at the end. */
export function Palette() {
  const { definition, selected, insert, drag } = useCanvasWorld();
  const place = (selected && placeAfter(definition, selected)) || lastPlace(definition);
  return (
    <fieldset className={classes.palette} aria-label={t.palette}>
      {stepTypes.map((type) => (
        <Tooltip key={type} label={`${stepTexts.steps[type].title}. ${t.paletteHint}`} position="right">
          <UnstyledButton
            className={classes.item}
            aria-label={stepTexts.steps[type].title}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'copy';
              event.dataTransfer.setData('text/plain', stepTexts.steps[type].title);
              drag(type);
            }}
            onDragEnd={() => drag(undefined)}
            onClick={() => insert(place, type)}
          >
            <span className={dialog.sign} data-tone={stepLooks[type].tone}>
              {stepLooks[type].icon}
            </span>
          </UnstyledButton>
        </Tooltip>
      ))}
    </fieldset>
  );
}
