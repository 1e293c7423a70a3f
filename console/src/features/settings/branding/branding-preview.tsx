import { useDebouncedValue } from '@mantine/hooks';
import { previewWorkspaceBranding } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { SafePreview } from '../../../shared/safe-preview.tsx';
import { branding as t } from '../../../texts/settings-branding.ts';
import { t as words } from '../../../texts/shared.ts';
import classes from './branding.module.css';
import { type BrandingFields, bodyOf, faultsIn } from './branding-fields.ts';

const screens = ['light', 'dark'] as const;

/** The page itself, as the service would send it. What cannot be sent yet leaves it as it was. */
export function BrandingPreview({ fields }: { fields: BrandingFields }) {
  const api = useApi();
  const isRight = Object.values(faultsIn(fields)).every((fault) => fault === undefined);
  const [sound, setSound] = useState(fields);
  if (isRight && sound !== fields) setSound(fields);
  const [asked] = useDebouncedValue(sound, 300);
  const query = useQuery({
    ...dataOf(api, previewWorkspaceBranding, { body: bodyOf(asked), idempotencyKey: false }),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title={t.preview}>
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} compact />}
      {!query.data && !query.error && <LoadingState label={words.loading} />}
      {query.data && (
        <div className={classes.previews}>
          {screens.map((screen) => (
            <figure key={screen} className={classes.preview}>
              <figcaption>{t[screen]}</figcaption>
              <div className={classes.screen}>
                <SafePreview html={query.data[screen]} title={t.previewOf[screen]} />
              </div>
            </figure>
          ))}
        </div>
      )}
    </Card>
  );
}
