// Builder and result side by side: used by the audience builder page and the filter of a list.
import { Text } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { BrokenLink } from '../../../shared/broken-link.tsx';
import { Card } from '../../../shared/card.tsx';
import { t } from '../../../texts/audience.ts';
import { t as words } from '../../../texts/filter.ts';
import { FilterBuilder, type FilterJson } from '../builder/filter-builder.tsx';
import { LivePane } from './live-pane.tsx';
import { useBreakdown, useExplained, useLivePreview } from './use-live-preview.ts';
import classes from './workbench.module.css';

interface WorkbenchProps {
  /** The key under which incomplete conditions are kept. */
  place: string;
  filter: FilterJson;
  onChange: (filter: FilterJson) => void;
  contactId: string | undefined;
  onContact: (contactId: string | undefined) => void;
  suggested?: readonly string[];
  isReadOnly?: boolean;
  onUnfinished?: (count: number) => void;
  /** For a filter that came with a link, and may be one that the service refuses. */
  onStartAnew?: (() => void) | undefined;
}

export function Workbench(props: WorkbenchProps) {
  const { filter, onChange, contactId, onContact, suggested = [], isReadOnly = false, onStartAnew } = props;
  const preview = useLivePreview(filter);
  const breakdown = useBreakdown(filter, !preview.isTyping && !preview.error);
  const explained = useExplained(filter, contactId);
  const isRefused = preview.error instanceof ApiFailure && preview.error.status === 400;
  return (
    <div className={classes.bench}>
      <Card>
        {isRefused && onStartAnew && <BrokenLink why={words.refused} onStart={onStartAnew} />}
        <FilterBuilder
          place={props.place}
          filter={filter}
          onChange={onChange}
          faults={preview.faults}
          suggested={suggested}
          isReadOnly={isReadOnly}
          marks={contactId === undefined ? undefined : explained.marks}
          counts={preview.error ? undefined : breakdown.counts}
          {...(props.onUnfinished ? { onUnfinished: props.onUnfinished } : {})}
        />
        {breakdown.isRefused && !preview.error && <Text c="dimmed">{t.noBreakdown}</Text>}
      </Card>
      <LivePane preview={preview} explained={explained} contactId={contactId} onContact={onContact} />
    </div>
  );
}
