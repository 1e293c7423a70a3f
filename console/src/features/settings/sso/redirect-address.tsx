import { TextInput } from '@mantine/core';
import { getWorkspace } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { sso as t } from '../../../texts/settings-access.ts';

/** The provider asks for it when Rapport is registered there, which is before it issues a client ID. */
export function RedirectAddress() {
  const api = useApi();
  const { data } = useQuery(dataOf(api, getWorkspace));
  return (
    <TextInput
      label={t.callbackUrl}
      description={t.callbackNote}
      value={data?.ssoCallbackUrl ?? ''}
      readOnly
      rightSectionWidth={86}
      rightSection={data && <CopyButton text={data.ssoCallbackUrl} label={t.copy} size="compact-xs" mr={6} />}
    />
  );
}
