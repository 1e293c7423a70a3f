// What happened to the contact, beside what is known about them.
import { SegmentedControl, VisuallyHidden } from '@mantine/core';
import { EmptyState } from '../../shared/empty-state.tsx';
import { ClockIcon } from '../../shared/icons.tsx';
import { Timeline } from '../../shared/timeline/timeline.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { kinds, t } from '../../texts/contact.ts';
import classes from './contact.module.css';
import type { Contact } from './contact-api.ts';
import { PropertiesCard } from './properties/properties-card.tsx';
import { type StoryKind, useStory } from './timeline/use-story.ts';

const isKind = (word: string | undefined): word is StoryKind => word !== undefined && Object.hasOwn(kinds, word);

export function ActivityTab({ id, contact }: { id: string; contact: Contact | undefined }) {
  const { param, setParam } = usePageParams();
  const asked = param('kind');
  const kind = isKind(asked) ? asked : 'all';
  const { items, isPending, error, retry, more, isLoadingMore } = useStory(id, contact, kind);
  return (
    <div className={classes.columns}>
      <div>
        <VisuallyHidden component="h2">{t.activity}</VisuallyHidden>
        <div className={classes.bar}>
          <SegmentedControl
            aria-label={t.kinds}
            value={kind}
            onChange={(value) => setParam('kind', value === 'all' ? undefined : value)}
            data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
          />
        </div>
        <Timeline
          label={t.activity}
          items={items}
          isPending={isPending}
          error={error}
          onRetry={retry}
          onMore={more}
          isLoadingMore={isLoadingMore}
          empty={
            kind === 'all' ? (
              <EmptyState icon={<ClockIcon size={20} />} title={t.emptyActivity} text={t.emptyActivityText} />
            ) : (
              <EmptyState title={t.emptyKind} text={t.emptyKindText} />
            )
          }
        />
      </div>
      <aside className={classes.aside} aria-label={t.properties}>
        <PropertiesCard contact={contact} />
      </aside>
    </div>
  );
}
