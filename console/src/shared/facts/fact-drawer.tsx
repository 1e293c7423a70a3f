import type { ReactNode } from 'react';
import { t } from '../../texts/shared.ts';
import { Drawer } from '../dialog.tsx';
import classes from './fact-list.module.css';

/** All details of one table row, at the side, so that the table stays visible. */
export function FactDrawer(props: { title: string | undefined; onClose: () => void; children: ReactNode }) {
  const { title, onClose, children } = props;
  return (
    <Drawer
      opened={title !== undefined}
      onClose={onClose}
      position="right"
      title={title}
      classNames={{ title: classes.title ?? '' }}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {children}
    </Drawer>
  );
}
