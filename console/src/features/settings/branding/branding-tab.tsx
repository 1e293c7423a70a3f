import { TextInput } from '@mantine/core';
import { getWorkspaceBranding, setWorkspaceBranding } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { ColorField } from '../../../shared/form/color-field.tsx';
import { FormBody } from '../../../shared/form/form-body.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { branding as t } from '../../../texts/settings-branding.ts';
import { t as words } from '../../../texts/shared.ts';
import { AdminOnly } from '../admin-only.tsx';
import { TabHead } from '../tab-head.tsx';
import classes from './branding.module.css';
import { type Branding, bodyOf, faultsIn, fieldsOf, labels } from './branding-fields.ts';
import { BrandingPreview } from './branding-preview.tsx';

export default function BrandingTab() {
  return (
    <AdminOnly>
      <TabHead text={t.about} />
      <Look />
    </AdminOnly>
  );
}

function Look() {
  const api = useApi();
  const query = useQuery(dataOf(api, getWorkspaceBranding));
  if (query.isPending) return <LoadingState label={words.loading} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <LookForm branding={query.data} />;
}

/** As the pages ship: see the service. */
const usual = {
  accentColor: '#2148b8',
  backgroundColor: '#f3f4f7',
  darkAccentColor: '#9db7ff',
  darkBackgroundColor: '#14171f',
};

function LookForm({ branding }: { branding: Branding }) {
  const api = useApi();
  const { canWrite } = useRights();
  const queries = useQueryClient();
  const form = useForm({
    draft: 'branding',
    initial: fieldsOf(branding),
    labels,
    check: faultsIn,
    send: async (fields) => {
      const { data } = await api.call(setWorkspaceBranding, { body: bodyOf(fields) });
      queries.setQueryData(dataOf(api, getWorkspaceBranding).queryKey, data);
    },
    said: t.saved,
  });
  const isDirty = JSON.stringify(bodyOf(form.values)) !== JSON.stringify(bodyOf(fieldsOf(branding)));
  const color = (name: keyof typeof usual, description?: string) => (
    <ColorField
      {...form.choice(name)}
      {...(description ? { description } : {})}
      usual={name === 'darkAccentColor' && form.values.accentColor ? form.values.accentColor : usual[name]}
    />
  );
  return (
    <div className={classes.parts}>
      <Card title={t.look}>
        <FormBody
          form={{ ...form, isRestored: form.isRestored && isDirty }}
          {...(canWrite ? { submit: t.save } : {})}
          isDisabled={!isDirty}
        >
          <TextInput {...form.text('name')} description={t.nameNote} maxLength={80} />
          <TextInput
            {...form.text('logoUrl')}
            description={t.logoNote}
            placeholder={t.logoHint}
            maxLength={2000}
            type="url"
            spellCheck={false}
          />
          {color('accentColor', t.accentNote)}
          {color('backgroundColor')}
          {color('darkAccentColor', t.darkAccentNote)}
          {color('darkBackgroundColor')}
        </FormBody>
      </Card>
      <BrandingPreview fields={form.values} />
    </div>
  );
}
