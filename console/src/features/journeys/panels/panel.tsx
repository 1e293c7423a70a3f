// The frame of a panel beside the canvas; on a phone it covers the page.
import { ActionIcon, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { Drawer } from '../../../shared/dialog.tsx';
import { AlertIcon, CloseIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { useCanvasWorld } from '../canvas/canvas-context.ts';
import type { JourneyFault } from '../journey-api.ts';
import { sayFault } from '../model/say-fault.ts';
import classes from './panel.module.css';

interface PanelProps {
  title: string;
  icon?: ReactNode;
  lead?: ReactNode;
  faults?: readonly JourneyFault[] | undefined;
  onClose: () => void;
  /** On a phone, part of the page instead of a sheet over it. */
  isInline?: boolean;
  /** Stays visible at the bottom. */
  foot?: ReactNode;
  children: ReactNode;
}

export function Panel(props: PanelProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const { title, onClose, isInline = false } = props;
  if (isNarrow && !isInline)
    return (
      <Drawer opened onClose={onClose} title={title} position="bottom" size="85%">
        <Body {...props} />
      </Drawer>
    );
  return <Side {...props} />;
}

function Side(props: PanelProps) {
  const { title, icon, lead, onClose } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  // If it was opened with the keyboard, the focus moves inside.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <aside
      className={classes.panel}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && !isTakenInside(event.target)) onClose();
      }}
    >
      <header className={classes.head}>
        {icon && <span className={classes.icon}>{icon}</span>}
        <div className={classes.titles}>
          <Title order={2} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label={t.closePanel} onClick={onClose}>
          <CloseIcon />
        </ActionIcon>
      </header>
      <Body {...props} />
    </aside>
  );
}

/** An open dropdown closes first; Mantine marks its field. */
const isTakenInside = (target: EventTarget) =>
  target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';

function Body({ faults, foot, children }: PanelProps) {
  const { definition } = useCanvasWorld();
  return (
    <>
      <div className={classes.body}>
        {faults && faults.length > 0 && (
          <ul className={classes.faults} aria-label={t.problems}>
            {faults.map((fault) => (
              <li key={fault.path + fault.message}>
                <AlertIcon size={14} />
                <span>{sayFault(fault, definition)}</span>
              </li>
            ))}
          </ul>
        )}
        {children}
      </div>
      {foot && <footer className={classes.foot}>{foot}</footer>}
    </>
  );
}
