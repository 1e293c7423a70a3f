// Builder and answer side by side: the page of the audience builder and the filter of a list are this.
import { Card } from '../../../shared/card.tsx';
import { FilterBuilder, type FilterJson } from '../builder/filter-builder.tsx';
import { LivePane } from './live-pane.tsx';
import { useExplained, useLivePreview } from './use-live-preview.ts';
import classes from './workbench.module.css';

interface WorkbenchProps {
  filter: FilterJson;
  onChange: (filter: FilterJson) => void;
  contactId: string | undefined;
  onContact: (contactId: string | undefined) => void;
  suggested?: readonly string[];
  isReadOnly?: boolean;
  onUnfinished?: (count: number) => void;
}

export function Workbench(props: WorkbenchProps) {
  const { filter, onChange, contactId, onContact, suggested = [], isReadOnly = false } = props;
  const preview = useLivePreview(filter);
  const explained = useExplained(filter, contactId);
  return (
    <div className={classes.bench}>
      <Card>
        <FilterBuilder
          filter={filter}
          onChange={onChange}
          faults={preview.faults}
          suggested={suggested}
          isReadOnly={isReadOnly}
          marks={contactId === undefined ? undefined : explained.marks}
          {...(props.onUnfinished ? { onUnfinished: props.onUnfinished } : {})}
        />
      </Card>
      <LivePane preview={preview} explained={explained} contactId={contactId} onContact={onContact} />
    </div>
  );
}
