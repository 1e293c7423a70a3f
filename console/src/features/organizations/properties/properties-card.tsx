import { ActionIcon, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Card } from '../../../shared/card.tsx';
import { CloseIcon, EditIcon, PlusIcon } from '../../../shared/icons.tsx';
import { PropertyValue } from '../../../shared/property-value.tsx';
import { noticeWithUndo } from '../../../shared/undo-notice.tsx';
import { t } from '../../../texts/organizations.ts';
import { type Organization, useSaveOrganization } from '../organization-api.ts';
import classes from './properties-card.module.css';
import { PropertyDialog } from './property-dialog.tsx';

type Editing = { property: { key: string; value: unknown } | undefined };

export function PropertiesCard({ organization, canWrite }: { organization: Organization; canWrite: boolean }) {
  const { orgId, properties } = organization;
  const [editing, setEditing] = useState<Editing>();
  const save = useSaveOrganization(orgId);
  const set = (key: string, value: unknown) => save({ properties: { [key]: value } });
  const fail = (error: Error) => notifications.show({ color: 'red', title: t.couldNotSave, message: error.message });
  const remove = (key: string, value: unknown) =>
    set(key, null).then(() => noticeWithUndo(t.removed(key), () => void set(key, value).catch(fail)), fail);
  const entries = Object.entries(properties).toSorted(([one], [other]) => one.localeCompare(other));
  return (
    <Card
      title={t.properties}
      actions={
        canWrite && (
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            onClick={() => setEditing({ property: undefined })}
          >
            {t.add}
          </Button>
        )
      }
    >
      {entries.length === 0 ? (
        <Text c="dimmed">{t.noPropertiesText}</Text>
      ) : (
        <dl className={classes.properties}>
          {entries.map(([key, value]) => (
            <div key={key} className={classes.property}>
              <dt>{key}</dt>
              <dd className={classes.value}>
                <PropertyValue value={value} />
                {canWrite && (
                  <span className={classes.acts}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t.edit(key)}
                      onClick={() => setEditing({ property: { key, value } })}
                    >
                      <EditIcon size={14} />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t.remove(key)}
                      onClick={() => void remove(key, value)}
                    >
                      <CloseIcon size={14} />
                    </ActionIcon>
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {editing && (
        <PropertyDialog
          orgId={orgId}
          property={editing.property}
          taken={new Set(Object.keys(properties))}
          onSave={set}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Card>
  );
}
