import { Kbd } from '@mantine/core';
import { Modal } from '../../../shared/dialog.tsx';
import { modifierKey } from '../../../shared/modifier-key.ts';
import { t } from '../../../texts/shell.ts';
import { places } from '../places.tsx';
import classes from './shortcuts-dialog.module.css';

export default function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const rows: [string[], string][] = [
    [[modifierKey, 'K'], t.searchEverything],
    [['/'], t.thisSearch],
    [['c'], t.create],
    [['?'], t.showShortcuts],
    ...places.flatMap(({ key, title }): [string[], string][] => (key ? [[['g', key], t.goTo(title)]] : [])),
  ];
  return (
    <Modal opened={opened} onClose={onClose} title={t.shortcuts}>
      <dl className={classes.keys}>
        {rows.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
