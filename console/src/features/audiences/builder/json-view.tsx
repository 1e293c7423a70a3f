import { Alert, Button, Group, Text, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../texts/filter.ts';
import { t as shared } from '../../../texts/shared.ts';
import classes from './builder.module.css';
import type { Fault } from './model/faults.ts';
import { type FilterJson, jsonFault, parseFilter } from './model/filter-json.ts';
import { treeOf, wholeOf } from './model/tree.ts';

interface JsonViewProps {
  /** Including incomplete conditions. */
  whole: FilterJson;
  /** Earlier input that could not be parsed. */
  unreadable: string | undefined;
  /** Undefined once it can be parsed. */
  onUnreadable: (text: string | undefined) => void;
  onChange: (filter: FilterJson) => void;
  faults: readonly Fault[];
  isReadOnly: boolean;
}

const pretty = (filter: FilterJson) => JSON.stringify(filter, null, 2);

/** The filter in the API's format, for rare cases and for programmers. */
export function JsonView({ whole, unreadable, onUnreadable, onChange, faults, isReadOnly }: JsonViewProps) {
  const [text, setText] = useState(() => unreadable ?? pretty(whole));
  const shown = useRef(JSON.stringify(whole));
  // What was changed elsewhere meanwhile: undone, cleared, or restored from this browser.
  useEffect(() => {
    if (shown.current === JSON.stringify(whole)) return;
    shown.current = JSON.stringify(whole);
    setText(unreadable ?? pretty(whole));
  }, [whole, unreadable]);
  const fault = jsonFault(text);
  const write = (next: string) => {
    setText(next);
    const read = parseFilter(next);
    onUnreadable(read ? undefined : next);
    if (!read) return;
    shown.current = JSON.stringify(wholeOf(treeOf(read)));
    onChange(read);
  };
  return (
    <Textarea
      aria-label={t.editJson}
      description={t.jsonHint}
      classNames={{ root: classes.jsonView ?? '', input: classes.json ?? '' }}
      autosize
      minRows={8}
      maxRows={30}
      spellCheck={false}
      readOnly={isReadOnly}
      value={text}
      error={
        fault ? (
          <Text span>{t.jsonFaults(fault)}</Text>
        ) : (
          faults.length > 0 && faults.map(({ path, message }) => <div key={path}>{`${path}: ${message}`}</div>)
        )
      }
      onChange={(event) => write(event.currentTarget.value)}
    />
  );
}

interface UnreadableJsonProps {
  text: string;
  onShow: () => void;
  onDiscard: () => void;
}

/** Shown with the builder meanwhile: the text is kept, but is not in the filter. */
export function UnreadableJson({ text, onShow, onDiscard }: UnreadableJsonProps) {
  const fault = jsonFault(text);
  return (
    <Alert color="yellow" title={t.unreadable}>
      <Text>{fault && t.jsonFaults(fault)}</Text>
      <Group gap="xs" mt="xs">
        <Button variant="default" size="xs" onClick={onShow}>
          {t.showJson}
        </Button>
        <Button variant="subtle" color="gray" size="xs" onClick={onDiscard}>
          {shared.discardDraft}
        </Button>
      </Group>
    </Alert>
  );
}
