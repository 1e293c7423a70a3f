import { Button, SegmentedControl } from '@mantine/core';
import { PlusIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-steps.ts';
import { FilterField } from '../../audiences/filter-field.tsx';
import { DurationField } from '../fields/duration-field.tsx';
import { WaySelect } from '../fields/small-fields.tsx';
import { SuggestField } from '../fields/suggest-field.tsx';
import type { Step, WaitBranch, WaitUntil } from '../model/definition.ts';
import { addWay, removeWay } from '../model/edit-ways.ts';
import { sayWay } from '../model/say.ts';
import { withWay } from '../model/ways.ts';
import { removing } from './branch-form.tsx';
import type { StepForm } from './step-form.ts';
import { WayGroup } from './way-group.tsx';

const mostBranches = 10;

export function WaitForm({ step, isReadOnly, change }: StepForm<WaitUntil>) {
  const put = (next: Step) => change(next as WaitUntil);
  const set = (at: number, branch: WaitBranch, about?: string) =>
    change({ ...step, branches: step.branches.map((one, i) => (i === at ? branch : one)) }, about);
  return (
    <>
      {step.branches.map((branch, at) => {
        const name = `${at + 1}. ${sayWay(step, `branch.${at}`) ?? ''}`;
        return (
          <WayGroup
            // biome-ignore lint/suspicious/noArrayIndexKey: branches have no name but their place
            key={at}
            title={name}
            onRemove={removing(step.branches, isReadOnly, () => put(removeWay(step, at)))}
          >
            <Awaited
              branch={branch}
              isReadOnly={isReadOnly}
              set={(next, about) => set(at, next, about && `${at}.${about}`)}
            />
            <WaySelect
              label={t.goesTo}
              from={step.id}
              to={branch.next ?? null}
              isReadOnly={isReadOnly}
              onChange={(to) => put(withWay(step, `branch.${at}`, to))}
            />
          </WayGroup>
        );
      })}
      {!isReadOnly && step.branches.length < mostBranches && (
        <Button variant="default" size="xs" leftSection={<PlusIcon size={14} />} onClick={() => put(addWay(step))}>
          {t.addBranch}
        </Button>
      )}
      <DurationField
        label={t.timeout}
        value={step.timeout}
        isReadOnly={isReadOnly}
        onChange={(timeout) => change({ ...step, timeout }, 'timeout')}
      />
      <WaySelect
        label={t.goesToOf(t.onTimeout)}
        from={step.id}
        to={step.onTimeout ?? null}
        isReadOnly={isReadOnly}
        onChange={(to) => put(withWay(step, 'onTimeout', to))}
      />
    </>
  );
}

interface AwaitedProps {
  branch: WaitBranch;
  isReadOnly: boolean;
  set: (branch: WaitBranch, about?: string) => void;
}

function Awaited({ branch, isReadOnly, set }: AwaitedProps) {
  const { event, filter, next } = branch;
  const isEvent = event !== undefined || filter === undefined;
  return (
    <>
      <SegmentedControl
        aria-label={t.kindOfWait}
        data={[
          { value: 'event', label: t.anEvent },
          { value: 'filter', label: t.aCondition },
        ]}
        value={isEvent ? 'event' : 'filter'}
        readOnly={isReadOnly}
        onChange={(kind) => set(kind === 'event' ? { event: { eventName: '' }, next } : { filter: { all: [] }, next })}
      />
      {isEvent ? (
        <>
          <SuggestField
            of="events"
            label={t.eventName}
            value={event?.eventName ?? ''}
            isReadOnly={isReadOnly}
            onChange={(eventName) => set({ ...branch, event: { ...event, eventName } }, 'event')}
          />
          {event?.eventName && (
            <FilterField
              label={t.eventWhere}
              filter={event.where}
              eventName={event.eventName}
              isOptional
              isReadOnly={isReadOnly}
              onChange={(where) => set({ ...branch, event: { ...event, where } }, 'where')}
            />
          )}
        </>
      ) : (
        <FilterField
          label={t.aCondition}
          filter={filter}
          isReadOnly={isReadOnly}
          onChange={(given) => set({ ...branch, filter: given ?? { all: [] } }, 'filter')}
        />
      )}
    </>
  );
}
