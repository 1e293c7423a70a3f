// What is known about the contact: one line per property, edited in place.
import { Button, Skeleton, Text, TextInput, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useRights } from '../../../api/session/rights.ts';
import { Card } from '../../../shared/card.tsx';
import { EditIcon, PlusIcon } from '../../../shared/icons.tsx';
import { propertyText } from '../../../shared/property-text.ts';
import { t } from '../../../texts/contact.ts';
import type { Contact } from '../contact-api.ts';
import { NewProperty } from './new-property.tsx';
import classes from './properties.module.css';
import { PropertyEditor } from './property-editor.tsx';
import { isPlatformKey } from './property-value.ts';
import { useSaveProperty } from './use-save-property.ts';

// This many fit without scrolling; more need a search.
const many = 15;

export function PropertiesCard({ contact }: { contact: Contact | undefined }) {
  const { canWrite } = useRights();
  const [search, setSearch] = useState('');
  /** The property being edited; the empty name is a new one. */
  const [edited, setEdited] = useState<string>();
  const all = Object.entries(contact?.properties ?? {}).sort(([one], [other]) => one.localeCompare(other));
  const properties = all.filter(([key]) => key.includes(search.trim().toLowerCase()));
  const stop = () => setEdited(undefined);
  return (
    <Card
      title={t.properties}
      isFlush
      actions={
        canWrite &&
        contact && (
          <Button variant="subtle" size="xs" leftSection={<PlusIcon size={14} />} onClick={() => setEdited('')}>
            {t.add}
          </Button>
        )
      }
    >
      <div className={classes.properties}>
        {all.length > many && (
          <TextInput
            aria-label={t.filterProperties}
            placeholder={t.filterProperties}
            size="xs"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        {edited === '' && contact && <NewProperty contact={contact} onDone={stop} />}
        {!contact && <Waiting />}
        {contact && all.length === 0 && edited !== '' && <Text c="dimmed">{t.emptyProperties}</Text>}
        {contact && (
          <dl className={classes.list}>
            {properties.map(([key, value]) => (
              <Property
                key={key}
                contactId={contact.id}
                name={key}
                value={value}
                isEditable={canWrite && !isPlatformKey(key)}
                isEdited={edited === key}
                onEdit={() => setEdited(key)}
                onDone={stop}
              />
            ))}
          </dl>
        )}
      </div>
    </Card>
  );
}

interface PropertyProps {
  contactId: string;
  name: string;
  value: unknown;
  isEditable: boolean;
  isEdited: boolean;
  onEdit: () => void;
  onDone: () => void;
}

function Property({ contactId, name, value, isEditable, isEdited, onEdit, onDone }: PropertyProps) {
  const { save, isBusy, error } = useSaveProperty(contactId, onDone);
  const text = propertyText(value, t.notSet);
  return (
    <div className={classes.property} data-edited={isEdited || undefined}>
      <dt>{name}</dt>
      <dd>
        {isEdited ? (
          <PropertyEditor
            form={`contact:${contactId}:${name}`}
            label={name}
            value={value}
            isBusy={isBusy}
            error={error?.message}
            onSave={(next) => save({ key: name, value: next, before: value })}
            onRemove={() => save({ key: name, value: null, before: value })}
            onCancel={onDone}
          />
        ) : isEditable ? (
          <button type="button" className={classes.value} aria-label={`${t.edit(name)}: ${text}`} onClick={onEdit}>
            {text}
            <span className={classes.pen}>
              <EditIcon size={13} />
            </span>
          </button>
        ) : isPlatformKey(name) ? (
          <Tooltip label={t.platform}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard brings up the words, too */}
            <span tabIndex={0}>{text}</span>
          </Tooltip>
        ) : (
          text
        )}
      </dd>
    </div>
  );
}

function Waiting() {
  return (
    <>
      {['70%', '55%', '80%', '60%'].map((width) => (
        <Skeleton key={width} height={14} width={width} my={8} />
      ))}
    </>
  );
}
