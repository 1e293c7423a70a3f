// What surrounds every page: navigation, search, and notices that concern all pages.
import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Brand } from '../../shared/brand.tsx';
import { Drawer } from '../../shared/dialog.tsx';
import { MenuIcon, SearchIcon } from '../../shared/icons.tsx';
import { t } from '../../texts/shell.ts';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { onSearchWanted, openSearch, takeEarlyKeys } from './search/open-search.ts';
import classes from './shell.module.css';
import { onShortcutsWanted } from './shortcuts/open-shortcuts.ts';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';

// If it cannot be loaded, no box will appear for what is typed.
const Search = lazy(() =>
  import('./search/search.tsx').catch((error: unknown) => {
    takeEarlyKeys();
    throw error;
  }),
);
const ShortcutsDialog = lazy(() => import('./shortcuts/shortcuts-dialog.tsx'));

export function Shell({ children }: { children: ReactNode }) {
  const [opened, menu] = useDisclosure(false);
  const [path] = useLocation();
  useShortcuts();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes whenever the person has arrived somewhere
  useEffect(() => menu.close(), [path]);
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t.skip}
      </a>
      <header className={classes.bar}>
        <Brand />
        <div>
          <ActionIcon variant="subtle" color="gray" size="xl" aria-label={t.search} onClick={openSearch}>
            <SearchIcon size={20} />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" size="xl" aria-label={t.openMenu} onClick={menu.open}>
            <MenuIcon size={20} />
          </ActionIcon>
        </div>
      </header>
      <div className={classes.side}>
        <Navigation />
      </div>
      <Drawer
        opened={opened}
        onClose={menu.close}
        size={280}
        closeButtonProps={{ 'aria-label': t.closeMenu }}
        classNames={{ body: classes.drawer ?? '' }}
      >
        <Navigation />
      </Drawer>
      <main id="content" tabIndex={-1} className={classes.main}>
        <Notices />
        {children}
      </main>
      <WantedLater />
    </div>
  );
}

/** Loaded on first use. */
function WantedLater() {
  const [searches, setSearches] = useState(0);
  const [hasShortcuts, setHasShortcuts] = useState<boolean>();
  useEffect(() => onSearchWanted(() => setSearches((count) => count + 1)), []);
  useEffect(() => onShortcutsWanted(() => setHasShortcuts(true)), []);
  return (
    <Suspense>
      {searches > 0 && <Search opens={searches} />}
      {hasShortcuts !== undefined && <ShortcutsDialog opened={hasShortcuts} onClose={() => setHasShortcuts(false)} />}
    </Suspense>
  );
}
