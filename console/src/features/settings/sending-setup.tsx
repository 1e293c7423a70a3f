import { Alert } from '@mantine/core';
import { type DataValue, getSendingSetup, type sendingWarningCodes } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { sayWarning } from '../../shared/messages/say-warning.ts';

type Setup = DataValue<typeof getSendingSetup>;

/** How mail is sent, and what is missing for it to arrive. Undefined until that is known. */
export function useSendingSetup(): Setup | undefined {
  const api = useApi();
  return useQuery(dataOf(api, getSendingSetup)).data;
}

/** Shows the warning if this is among the warnings. */
export function SetupWarning({ code }: { code: (typeof sendingWarningCodes)[number] }) {
  const warning = useSendingSetup()?.warnings.find((one) => one.code === code);
  return warning ? (
    <Alert color="yellow" role="status">
      {sayWarning(warning)}
    </Alert>
  ) : null;
}
