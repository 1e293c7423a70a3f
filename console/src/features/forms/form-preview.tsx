// The form as its page shows it, while it is edited. Nothing in it can be sent.
import { Title } from '@mantine/core';
import { t } from '../../texts/forms.ts';
import { type FieldDraft, linesOf } from './field-drafts.ts';
import classes from './form-preview.module.css';

interface FormPreviewProps {
  name: string;
  fields: readonly FieldDraft[];
  consentText: string;
}

export function FormPreview({ name, fields, consentText }: FormPreviewProps) {
  return (
    <section aria-label={t.preview} className={classes.page}>
      <Title order={2} size="h5" mb="sm">
        {t.preview}
      </Title>
      <div className={classes.card} inert>
        <h2 className={classes.title}>{name}</h2>
        {fields.map((field) => field.type !== 'hidden' && <Shown key={field.key} field={field} />)}
        <p className={classes.consent}>{consentText}</p>
        <button type="button" className={classes.send} tabIndex={-1}>
          {t.send}
        </button>
      </div>
    </section>
  );
}

function Shown({ field: { label, type, options } }: { field: FieldDraft }) {
  if (type === 'checkbox')
    return (
      <div className={classes.tick}>
        <input type="checkbox" disabled /> <span>{label}</span>
      </div>
    );
  return (
    <div className={classes.field}>
      <span>{label}</span>
      {type === 'textarea' && <textarea rows={3} disabled />}
      {type === 'select' && (
        <select disabled>
          {linesOf(options).map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
      {(type === 'text' || type === 'email') && <input type="text" disabled />}
    </div>
  );
}
