import { Title } from '@mantine/core';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type Rename, RenameButton, RenameForm } from './editable-title.tsx';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** The title of the browser tab, if it differs. */
  windowTitle?: string;
  lead?: ReactNode;
  above?: ReactNode;
  actions?: ReactNode;
  /** Lets the title be edited in place. */
  onRename?: Rename | undefined;
  /** For long pages: the actions stay in view, on a phone at the bottom. */
  isSticky?: boolean;
  children: ReactNode;
}

// The first page that a browser shows starts at its top, where the skip link is.
let isFirst = true;

/** The frame of every page. The heading takes the focus, so that a screen reader announces the new page. */
export function Page(props: PageProps) {
  const { title, windowTitle = title, lead, above, actions, onRename, isSticky = false, children } = props;
  useEffect(() => {
    document.title = `${windowTitle} · Rapport`;
  }, [windowTitle]);
  return (
    <div className={classes.page}>
      <header className={classes.header} data-sticky={isSticky || undefined}>
        <div className={classes.titles}>
          {above}
          <Heading {...{ title, onRename }} />
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Not drawn again with everything that changes on its page. */
const Heading = memo(function Heading({ title, onRename }: Pick<PageProps, 'title' | 'onRename'>) {
  const [isRenaming, setRenaming] = useState(false);
  const [path] = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  if (isRenaming && onRename)
    return <RenameForm of={thingAt(path)} name={title} rename={onRename} onClose={() => setRenaming(false)} />;
  return (
    <div className={classes.name}>
      <Title order={1} ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </Title>
      {onRename && <RenameButton onClick={() => setRenaming(true)} />}
    </div>
  );
});

/** `/emails/1` on each of its tabs. */
function thingAt(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}
