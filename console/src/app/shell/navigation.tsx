// The sidebar: the workspace on top, the search below it, the pages, the user at the bottom.
import { Kbd, UnstyledButton } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { SearchIcon } from '../../shared/icons.tsx';
import { modifierKey } from '../../shared/modifier-key.ts';
import { t } from '../../texts/shell.ts';
import { PersonMenu } from './person-menu.tsx';
import { type Place, places, sections } from './places.tsx';
import { openSearch } from './search/open-search.ts';
import classes from './shell.module.css';
import { WorkspaceSwitch } from './workspace-switch.tsx';

export function Navigation() {
  return (
    <>
      <WorkspaceSwitch />
      <UnstyledButton className={classes.search} onClick={openSearch}>
        <SearchIcon size={16} />
        <span>{t.search}</span>
        <Kbd>{modifierKey === '⌘' ? '⌘K' : `${modifierKey} K`}</Kbd>
      </UnstyledButton>
      <nav aria-label={t.main} className={classes.links}>
        {sections.map(({ title, places }) => (
          <div key={places[0]?.to} className={classes.section}>
            {title && <div className={classes.sectionTitle}>{title}</div>}
            {places.map((place) => !place.isHidden && <PlaceLink key={place.to} place={place} />)}
          </div>
        ))}
      </nav>
      <PersonMenu />
    </>
  );
}

function PlaceLink({ place: { to, icon, title } }: { place: Place }) {
  const [path] = useLocation();
  const owner = places.find(({ also }) => also?.includes(path))?.to ?? path;
  const isHere = to === '/' ? owner === '/' : owner === to || owner.startsWith(`${to}/`);
  return (
    <Link
      href={to}
      className={classes.link ?? ''}
      {...(isHere ? { 'aria-current': 'page' as const, ref: showHere } : {})}
    >
      {icon}
      {title}
    </Link>
  );
}

/** On a low screen the last places are below the fold. */
function showHere(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest' });
}
