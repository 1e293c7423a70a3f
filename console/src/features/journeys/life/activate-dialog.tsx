// Before a journey starts: who it reaches, who is left out, and why.
import { Alert, Stack, Text } from '@mantine/core';
import { reachJourney } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { DialogButtons } from '../../../shared/form/dialog-buttons.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { sayWarning } from '../../../shared/messages/say-warning.ts';
import { t } from '../../../texts/journey-canvas.ts';
import { whole } from '../../../texts/numbers.ts';
import type { Faults } from '../editing/use-faults.ts';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import { activate, type JourneyReach } from '../journey-api.ts';
import type { Definition } from '../model/definition.ts';
import { callStep } from '../model/say.ts';
import { sayFault } from '../model/say-fault.ts';
import classes from './activate-dialog.module.css';

interface ActivateDialogProps {
  work: JourneyWork;
  faults: Faults;
  onClose: () => void;
  onActivated: () => void;
}

export function ActivateDialog({ work, faults, onClose, onActivated }: ActivateDialogProps) {
  const api = useApi();
  const { journeyId, name, revision } = work.journey;
  const problems = faults.all ?? [];
  // The reach is computed from the saved version, so the dialog opens after saving.
  const reach = useQuery({
    ...dataOf(api, reachJourney, { params: { id: journeyId } }, { revision }),
    enabled: problems.length === 0,
    gcTime: 0,
    retry: false,
  });
  const start = useAction({
    act: () => activate(api, journeyId),
    onDone: async () => {
      await work.reload();
      onActivated();
    },
    isToldInPlace: true,
  });
  return (
    <Modal opened onClose={onClose} title={t.activateTitle(name)} size="lg">
      <Stack gap="md">
        {problems.length > 0 ? (
          <Problems problems={problems} definition={work.definition} />
        ) : (
          <section aria-label={t.whom} aria-busy={reach.isPending}>
            {reach.isPending && <LoadingState label={t.counting} rows={3} />}
            {reach.isError && <Alert color="yellow">{t.reachFailed}</Alert>}
            {reach.data && <Reach reach={reach.data} />}
          </section>
        )}
        {faults.warnings.length > 0 && <Warnings warnings={faults.warnings} />}
        <DialogButtons
          fault={start.error?.message}
          cancel={t.notNow}
          onCancel={onClose}
          confirm={t.activate}
          onConfirm={() => start.mutate()}
          isBusy={start.isPending}
          isDisabled={problems.length > 0}
          focus="confirm"
        />
      </Stack>
    </Modal>
  );
}

function Warnings({ warnings }: { warnings: Faults['warnings'] }) {
  return (
    <Alert color="yellow" title={t.mayNotArrive}>
      <ul className={classes.problems}>
        {warnings.map((warning) => (
          <li key={`${warning.code} ${warning.domain}`}>{sayWarning(warning)}</li>
        ))}
      </ul>
    </Alert>
  );
}

function Problems({ problems, definition }: { problems: NonNullable<Faults['all']>; definition: Definition }) {
  return (
    <Alert color="red" title={t.mendFirst}>
      <ul className={classes.problems}>
        {problems.map((fault) => (
          <li key={fault.path + fault.message}>
            {fault.stepId && <b>{callStep(definition, fault.stepId)}: </b>}
            {sayFault(fault, definition)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function Reach({ reach }: { reach: JourneyReach }) {
  const words = wordsOf(reach);
  const figures = [
    { label: words.inQuestion, value: reach.audience },
    { label: words.enter, value: reach.enters },
    { label: words.getMail, value: reach.getsMail },
  ].filter(({ value }) => value !== null);
  return (
    <Stack gap="md">
      <Text size="lg" fw={500}>
        {reach.text}
      </Text>
      {figures.length > 0 && (
        <dl className={classes.figures}>
          {figures.map(({ label, value }) => (
            <div key={label}>
              <dd>{whole(value ?? 0)}</dd>
              <dt>{label}</dt>
            </div>
          ))}
        </dl>
      )}
      {!reach.isExact && reach.basis !== 'unknown' && <Text c="dimmed">{t.about}</Text>}
      {reach.basis !== 'unknown' && <LeftOut reach={reach} />}
    </Stack>
  );
}

/** What already happened is no promise: “would have entered”. */
const wordsOf = ({ basis }: JourneyReach) => t.reach[basis === 'last30Days' ? basis : 'audience'];

function LeftOut({ reach }: { reach: JourneyReach }) {
  const { leftOut } = reach;
  const words = wordsOf(reach);
  if (leftOut.length === 0) return <Text c="dimmed">{t.nobodyLeftOut}</Text>;
  const groups = [
    { title: words.notEntering, rows: leftOut.filter(({ from }) => from === 'journey') },
    { title: words.noMail, rows: leftOut.filter(({ from }) => from === 'mail') },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <div>
      <Text fw={600}>{t.leftOut}</Text>
      {groups.map(({ title, rows }) => (
        <div key={title} className={classes.group}>
          <Text size="sm" c="dimmed">
            {title}
          </Text>
          <ul className={classes.reasons}>
            {rows.map(({ reason, text }) => (
              // The sentence begins with the number.
              <li key={reason}>{text}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
