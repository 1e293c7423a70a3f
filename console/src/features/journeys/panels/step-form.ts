import type { Step } from '../model/definition.ts';

/** The props of a step's form. `about` names the field, so that typing in it is undone in one step. */
export interface StepForm<Kind extends Step = Step> {
  readonly step: Kind;
  readonly isReadOnly: boolean;
  change(step: Kind, about?: string): void;
}
