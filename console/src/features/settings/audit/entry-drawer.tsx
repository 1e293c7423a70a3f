import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { FactDrawer } from '../../../shared/facts/fact-drawer.tsx';
import { FactList } from '../../../shared/facts/fact-list.tsx';
import { exactTime } from '../../../shared/relative-time.ts';
import { whole } from '../../../texts/numbers.ts';
import { actionNames, audit as t } from '../../../texts/settings-access.ts';
import { type AuditEntry, subjectPage, subjectText } from './subject.ts';

/** All details of an entry. */
export function EntryDrawer({ entry, onClose }: { entry: AuditEntry | undefined; onClose: () => void }) {
  const title = entry && (actionNames[entry.action] ?? entry.action);
  return (
    <FactDrawer title={title} onClose={onClose}>
      {entry && <Entry entry={entry} />}
    </FactDrawer>
  );
}

function Subject({ entry }: { entry: AuditEntry }) {
  const to = subjectPage(entry);
  return to === undefined ? (
    subjectText(entry)
  ) : (
    <Anchor component={Link} href={to}>
      {subjectText(entry)}
    </Anchor>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const details = Object.entries(entry.detail);
  return (
    <>
      <FactList
        facts={[
          { name: t.who, value: entry.account?.name ?? t.nobody },
          { name: t.when, value: exactTime(entry.at) },
          { name: t.subject, value: <Subject entry={entry} /> },
          { name: t.subjectId, value: entry.subject, isCode: true },
          { name: t.address, value: entry.address, isCode: true },
          { name: t.number, value: whole(entry.entryNo) },
          { name: t.hash, value: entry.hash, isCode: true },
        ]}
      />
      <Text component="h3" fw={600} mt="lg" mb="xs">
        {t.detail}
      </Text>
      {details.length === 0 ? (
        <Text c="dimmed">{t.noDetail}</Text>
      ) : (
        <FactList facts={details.map(([name, value]) => ({ name, value: JSON.stringify(value), isCode: true }))} />
      )}
    </>
  );
}
