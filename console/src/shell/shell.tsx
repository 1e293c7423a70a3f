// What surrounds every page: the way to the others, and who may leave.
import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import { MenuIcon } from '../shared/icons.tsx';
import { noTransition } from '../theme/theme.ts';
import { Brand } from './brand.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';

export function Shell({ children }: { children: ReactNode }) {
  const [opened, menu] = useDisclosure(false);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes whenever the person has arrived somewhere
  useEffect(() => menu.close(), [path]);
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.bar}>
        <Brand />
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Open the menu" onClick={menu.open}>
          <MenuIcon size={20} />
        </ActionIcon>
      </header>
      <div className={classes.side}>
        <Brand />
        <Navigation />
      </div>
      <Drawer
        opened={opened}
        onClose={menu.close}
        size={280}
        title={<Brand />}
        closeButtonProps={{ 'aria-label': 'Close the menu' }}
        classNames={{ body: classes.drawer ?? '' }}
        {...noTransition}
      >
        <Navigation />
      </Drawer>
      <main id="content" tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  );
}
