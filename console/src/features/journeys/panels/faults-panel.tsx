import { UnstyledButton } from '@mantine/core';
import { AlertIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { t as words } from '../../../texts/journeys.ts';
import { useCanvasWorld } from '../canvas/canvas-context.ts';
import { placeOf } from '../editing/use-faults.ts';
import type { JourneyFault } from '../journey-api.ts';
import { entryId, stepOf } from '../model/edit.ts';
import { sayStep } from '../model/say.ts';
import { sayFault } from '../model/say-fault.ts';
import { ruleAt } from '../model/say-rules.ts';
import classes from './faults-panel.module.css';
import { Panel } from './panel.tsx';

/** Everything that activation would refuse; each links to where it can be fixed. */
export function FaultsPanel({ onClose }: { onClose: () => void }) {
  const { faults } = useCanvasWorld();
  return (
    <Panel title={t.problems} icon={<AlertIcon />} lead={t.problemsLead} onClose={onClose}>
      <FaultList faults={faults.all ?? []} />
    </Panel>
  );
}

function FaultList({ faults, onGo }: { faults: readonly JourneyFault[]; onGo?: () => void }) {
  const { definition, names, select } = useCanvasWorld();
  const nameOf = (place: string): string => {
    const step = stepOf(definition, place);
    if (step) return [sayStep(step, names).title, step.id].join(' · ');
    const rule = ruleAt(place);
    return rule ? words.rules[rule] : stepTexts.entry;
  };
  return (
    <ul className={classes.list}>
      {faults.map((fault) => {
        const place = placeOf(fault);
        const isThere = place === entryId || ruleAt(place) !== undefined || stepOf(definition, place) !== undefined;
        return (
          <li key={fault.path + fault.message}>
            <UnstyledButton
              className={classes.fault}
              onClick={() => {
                onGo?.();
                if (isThere) select(place);
              }}
            >
              <b>{nameOf(place)}</b>
              <span>{sayFault(fault, definition)}</span>
            </UnstyledButton>
          </li>
        );
      })}
    </ul>
  );
}
