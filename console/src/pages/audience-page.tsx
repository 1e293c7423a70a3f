import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useRights } from '../api/session/rights.ts';
import { asFilter } from '../features/audiences/builder/filter-builder.tsx';
import { useAddressFilter } from '../features/audiences/builder/use-address-filter.ts';
import { Workbench } from '../features/audiences/live/workbench.tsx';
import { SaveListDialog } from '../features/audiences/save-list-dialog.tsx';
import { BrokenLink } from '../shared/broken-link.tsx';
import { Page } from '../shared/page.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/audience.ts';
import { t as words } from '../texts/filter.ts';

/** The audience builder. The filter is in the address: it can be shared, and a reload keeps it. */
export default function BuilderPage() {
  const { param, setParam } = usePageParams();
  const { canWrite } = useRights();
  const [isSaving, dialog] = useDisclosure(false);
  const [unfinished, setUnfinished] = useState(0);
  const { filter: given, fault, isLink, set } = useAddressFilter();
  const filter = asFilter(given);
  const suggested = (param('new') ?? '').split(',').filter(Boolean);
  const save = (
    <>
      {unfinished > 0 && <Text c="var(--warn)">{t.unfinished(unfinished)}</Text>}
      <Button onClick={dialog.open} disabled={unfinished > 0} data-shortcut="create">
        {t.saveAsList}
      </Button>
    </>
  );
  if (fault)
    return (
      <Page title={t.title} lead={t.lead}>
        <BrokenLink why={words.unreadableLink} onStart={() => set(undefined)} />
      </Page>
    );
  return (
    <Page title={t.title} lead={t.lead} actions={canWrite ? save : undefined}>
      <Workbench
        place="audience"
        filter={filter}
        onChange={set}
        onStartAnew={isLink ? () => set(undefined) : undefined}
        contactId={param('contact')}
        onContact={(id) => setParam('contact', id)}
        suggested={suggested}
        onUnfinished={setUnfinished}
      />
      {isSaving && <SaveListDialog filter={filter} onClose={dialog.close} />}
    </Page>
  );
}
