// The block editor: the blocks in the middle, and beside it what belongs to the selected block, the theme, or a preview.
import { ActionIcon, Group, SegmentedControl, VisuallyHidden } from '@mantine/core';
import type { Design } from '@rapport/contract';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useId, useRef } from 'react';
import { RedoIcon, UndoIcon } from '../../../shared/icons.tsx';
import { t, words } from '../../../texts/designs.ts';
import { Canvas } from './canvas/canvas.tsx';
import classes from './design-board.module.css';
import type { DesignWork } from './design-work.ts';
import { blockAt } from './model/places.ts';
import { BlockPanel } from './panel/block-panel.tsx';
import { Palette } from './panel/palette.tsx';
import { DesignProblems } from './panel/problems.tsx';
import { ThemePanel } from './panel/theme-panel.tsx';
import { EditorContext } from './text/editor-context.ts';
import type { Compiled } from './use-compiled.ts';
import { type DesignEditor, type SavedQuestion, type Side, useDesignEditor } from './use-design-editor.ts';
import { type SavedBlocks, useDeletedElsewhere, useSavedBlocks } from './use-saved-blocks.ts';

interface DesignBoardProps {
  work: DesignWork;
  design: Design;
  compiled: Compiled;
  isReadOnly: boolean;
  /** Undefined: neither a preview nor a theme, only blocks. */
  preview: ReactNode | undefined;
  /** Never changes. */
  ask?: ((question: SavedQuestion) => void) | undefined;
  /** The saved block that is being edited. */
  within?: string | undefined;
}

export function DesignBoard({ work, design, compiled, isReadOnly, preview, ask, within }: DesignBoardProps) {
  const editing = useDesignEditor(work, design, ask);
  const saved = useSavedBlocks(within);
  useDeletedElsewhere(design, compiled, saved);
  const keysId = useId();
  const pane = useKeysKept(design);
  const { actions, selection, side, said, panelId } = editing;
  const sides = preview === undefined ? blockSides : allSides;
  const keys = (event: KeyboardEvent) => {
    const isMod = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (!isMod || (key !== 'z' && key !== 'y')) return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) actions.redo();
    else actions.undo();
  };
  const shown = isReadOnly ? 'preview' : sideOf(editing);
  return (
    <EditorContext value={editing.editor}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of everything inside come through here */}
      <div ref={pane} tabIndex={-1} className={classes.pane} onKeyDown={isReadOnly ? undefined : keys}>
        <Sides
          side={isReadOnly && side !== 'preview' ? 'edit' : side}
          sides={isReadOnly ? phoneSides.read : preview === undefined ? phoneSides.blocks : phoneSides.all}
          onChange={actions.setSide}
        />
        <div className={classes.columns} data-side={side}>
          <div className={classes.canvas}>
            {!isReadOnly && (
              <UndoTools canUndo={work.canUndo} canRedo={work.canRedo} undo={actions.undo} redo={actions.redo} />
            )}
            <Canvas
              design={design}
              selection={isReadOnly ? undefined : selection}
              actions={actions}
              {...{ isReadOnly, saved, keysId }}
            />
          </div>
          <div className={classes.side}>
            <section aria-label={t.panel} id={panelId} className={classes.panel} data-shown={shown}>
              {!isReadOnly && <PanelTabs {...{ shown, sides }} onChange={actions.setSide} />}
              {shown === 'preview' ? preview : <Panel {...{ shown, design, editing, saved }} />}
            </section>
            <DesignProblems
              {...{ design, compiled, saved }}
              error={work.fault}
              onGo={isReadOnly ? undefined : actions.go}
              onTheme={isReadOnly ? undefined : actions.showTheme}
            />
          </div>
        </div>
        <Spoken {...{ keysId, said }} />
      </div>
    </EditorContext>
  );
}

/**
 * What had the keyboard may be gone with a change: the block that was written in, or a button that is disabled now, which loses it a frame
 * later. The keys that take a change back must arrive all the same. Typing leaves the keyboard where it is, and asks for no frames.
 */
function useKeysKept(design: Design) {
  const pane = useRef<HTMLDivElement>(null);
  const drawn = useRef(design);
  useEffect(() => {
    if (drawn.current === design) return;
    drawn.current = design;
    const holder = document.activeElement;
    if (holder && holder !== document.body && !holder.matches(':disabled')) return;
    const keep = () => {
      if (document.activeElement === document.body) pane.current?.focus({ preventScroll: true });
    };
    requestAnimationFrame(() => requestAnimationFrame(keep));
  }, [design]);
  return pane;
}

type UndoToolsProps = Pick<DesignWork, 'canUndo' | 'canRedo' | 'undo' | 'redo'>;

const UndoTools = memo(function UndoTools({ canUndo, canRedo, undo, redo }: UndoToolsProps) {
  return (
    <Group gap={4} className={classes.bar ?? ''}>
      <ActionIcon variant="default" aria-label={t.undo} disabled={!canUndo} onClick={undo}>
        <UndoIcon />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t.redo} disabled={!canRedo} onClick={redo}>
        <RedoIcon />
      </ActionIcon>
    </Group>
  );
});

/** What the keys of a block do, and what was done last. */
const Spoken = memo(function Spoken({ keysId, said }: { keysId: string; said: string }) {
  return (
    <>
      <VisuallyHidden id={keysId}>{words.keys}</VisuallyHidden>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
});

type Shown = Exclude<Side, 'edit'>;

const blockSides: readonly Shown[] = ['add', 'block'];
const allSides: readonly Shown[] = ['add', 'block', 'theme', 'preview'];
/** What there is to choose from on a phone. */
const phoneSides: Record<'read' | 'blocks' | 'all', readonly Side[]> = {
  read: ['edit', 'preview'],
  blocks: ['edit', 'block'],
  all: ['edit', 'block', 'theme', 'preview'],
};

/** What is beside the canvas: unless it was chosen, what fits the selection. */
const sideOf = ({ side, selection }: DesignEditor): Shown => (side !== 'edit' ? side : selection ? 'block' : 'add');

interface PanelProps {
  shown: Shown;
  design: Design;
  editing: DesignEditor;
  saved: SavedBlocks;
}

function Panel({ shown, design, editing, saved }: PanelProps) {
  const { actions, selection } = editing;
  return (
    <div className={classes.fields}>
      {shown === 'add' && <Palette actions={actions} saved={saved.offered} />}
      {shown === 'block' && (
        <BlockPanel
          path={selection?.path}
          block={selection && blockAt(design, selection.path)}
          {...{ actions, saved }}
        />
      )}
      {shown === 'theme' && <ThemePanel theme={design.theme ?? {}} onChange={actions.setTheme} />}
    </div>
  );
}

const names: Record<Side, string> = { edit: t.edit, add: t.add, block: t.block, theme: t.theme, preview: t.preview };
const choices = (sides: readonly Side[]) => sides.map((value) => ({ value, label: names[value] }));

interface PanelTabsProps {
  shown: Shown;
  sides: readonly Shown[];
  onChange: (side: Side) => void;
}

const PanelTabs = memo(function PanelTabs({ shown, sides, onChange }: PanelTabsProps) {
  return (
    <SegmentedControl
      aria-label={t.panel}
      className={classes.tabs ?? ''}
      fullWidth
      value={shown}
      data={choices(sides)}
      onChange={(value) => onChange(value as Side)}
    />
  );
});

/** On a phone there is room for one at a time. */
interface SidesProps {
  side: Side;
  sides: readonly Side[];
  onChange: (side: Side) => void;
}

const Sides = memo(function Sides({ side, sides, onChange }: SidesProps) {
  return (
    <SegmentedControl
      aria-label={t.panel}
      className={classes.sides ?? ''}
      fullWidth
      value={side === 'add' ? 'edit' : side}
      data={choices(sides)}
      onChange={(value) => onChange(value as Side)}
    />
  );
});
