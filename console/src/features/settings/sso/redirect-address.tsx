import { Input } from '@mantine/core';
import { getWorkspace } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Breakable } from '../../../shared/breakable.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { sso as t } from '../../../texts/settings-access.ts';
import classes from '../settings.module.css';

/** The provider asks for it when Rapport is registered there, which is before it issues a client ID. */
export function RedirectAddress() {
  const { data } = useQuery(dataOf(useApi(), getWorkspace));
  return (
    <Input.Wrapper label={t.callbackUrl} description={t.callbackNote} labelElement="div">
      {data && (
        <>
          <div className={classes.code}>
            <Breakable text={data.ssoCallbackUrl} after="/" />
          </div>
          <CopyButton text={data.ssoCallbackUrl} label={t.copy} size="compact-xs" mt={4} />
        </>
      )}
    </Input.Wrapper>
  );
}
