import type { Step } from '../model/definition.ts';

/** What the form of a step gets. `about` names the field, so that typing in it is undone at once. */
export interface StepForm<Kind extends Step = Step> {
  readonly step: Kind;
  readonly isReadOnly: boolean;
  change(step: Kind, about?: string): void;
}
