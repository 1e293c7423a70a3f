// Saving an active journey creates a new version: contacts in it are counted first, and the user chooses what happens to them.
import { Radio, Stack, Text } from '@mantine/core';
import { compareJourney } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { DialogButtons } from '../../../shared/form/dialog-buttons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import type { InFlight, JourneyWork } from '../editing/use-journey-work.ts';
import type { Comparison } from '../journey-api.ts';

export function InFlightDialog({ work, onClose }: { work: JourneyWork; onClose: () => void }) {
  const api = useApi();
  const { journeyId } = work.journey;
  const { data, error, refetch } = useQuery({
    ...dataOf(api, compareJourney, {
      ...{ params: { id: journeyId }, body: { definition: work.written }, idempotencyKey: false },
    }),
    gcTime: 0,
  });
  const [choice, setChoice] = useState<InFlight>('finish');
  const save = async () => {
    if (await work.save(choice)) onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t.inFlightTitle} size="lg">
      <Stack gap="md">
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} compact />
        ) : data ? (
          <Choice totals={data.totals} choice={choice} onChange={setChoice} />
        ) : (
          <LoadingState label={t.comparing} rows={3} />
        )}
        <DialogButtons
          fault={work.error}
          onCancel={onClose}
          confirm={t.saveVersion}
          onConfirm={() => void save()}
          isBusy={work.saveState === 'saving'}
          isDisabled={!data}
        />
      </Stack>
    </Modal>
  );
}

interface ChoiceProps {
  totals: Comparison['totals'];
  choice: InFlight;
  onChange: (choice: InFlight) => void;
}

function Choice({ totals, choice, onChange }: ChoiceProps) {
  if (totals.inProgress === 0) return <Text>{t.inFlightNobody}</Text>;
  const parts = [
    ...(totals.moves > 0 ? [t.moves(totals.moves)] : []),
    ...(totals.stays > 0 ? [t.stays(totals.stays)] : []),
    ...(totals.keepsVersion > 0 ? [t.keepsVersion(totals.keepsVersion)] : []),
  ];
  return (
    <>
      <Text>
        {t.inFlightText(totals.inProgress)} {t.inFlightLead}
      </Text>
      <Radio.Group aria-label={t.inFlightLead} value={choice} onChange={(value) => onChange(value as InFlight)}>
        <Stack gap="sm">
          <Radio value="finish" label={t.finish} description={t.finishText} />
          <Radio value="move" label={t.move} description={`${t.moveText} ${parts.join('; ')}.`} />
        </Stack>
      </Radio.Group>
    </>
  );
}
