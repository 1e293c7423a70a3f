import { Button } from '@mantine/core';
import { PlusIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-steps.ts';
import { FilterField } from '../../audiences/filter-field.tsx';
import { WaySelect } from '../fields/small-fields.tsx';
import type { Branch, Step } from '../model/definition.ts';
import { addWay, removeWay } from '../model/edit-ways.ts';
import { withWay } from '../model/ways.ts';
import type { StepForm } from './step-form.ts';
import { WayGroup } from './way-group.tsx';

const mostCases = 20;

export function BranchForm({ step, isReadOnly, change }: StepForm<Branch>) {
  const put = (next: Step) => change(next as Branch);
  return (
    <>
      {step.cases.map(({ filter, next = null }, at) => {
        const name = t.ways.path(at + 1);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: cases have no name but their place
          <WayGroup key={at} title={name} onRemove={removing(step.cases, isReadOnly, () => put(removeWay(step, at)))}>
            <FilterField
              label={t.conditionOf(name)}
              filter={filter}
              isReadOnly={isReadOnly}
              onChange={(given) =>
                change(
                  { ...step, cases: step.cases.map((one, i) => (i === at ? { ...one, filter: given } : one)) },
                  `case.${at}`,
                )
              }
            />
            <WaySelect
              label={t.goesToOf(name)}
              from={step.id}
              to={next}
              isReadOnly={isReadOnly}
              onChange={(to) => put(withWay(step, `case.${at}`, to))}
            />
          </WayGroup>
        );
      })}
      {!isReadOnly && step.cases.length < mostCases && (
        <Button variant="default" size="xs" leftSection={<PlusIcon size={14} />} onClick={() => put(addWay(step))}>
          {t.addCase}
        </Button>
      )}
      <WaySelect
        label={t.goesToOf(t.otherwise)}
        from={step.id}
        to={step.otherwise ?? null}
        isReadOnly={isReadOnly}
        onChange={(to) => put(withWay(step, 'otherwise', to))}
      />
    </>
  );
}

/** The last one stays: without any there is nothing to choose between. */
export function removing(all: readonly unknown[], isReadOnly: boolean, remove: () => void): (() => void) | undefined {
  return isReadOnly || all.length < 2 ? undefined : remove;
}
