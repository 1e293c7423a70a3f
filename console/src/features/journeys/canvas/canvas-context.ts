// Shared state of the canvas. Two contexts: what changes with an edit, and what changes with every tick of the virtual clock.
import { createContext, useContext } from 'react';
import type { Faults } from '../editing/use-faults.ts';
import type { Definition, StepType } from '../model/definition.ts';
import type { Place } from '../model/edit.ts';
import type { Names } from '../model/say.ts';
import type { Dot, Frame } from '../simulate/frame.ts';

export interface LiveCount {
  readonly entered: number;
  readonly inProgress: number;
  readonly sent: number | undefined;
}

export interface CanvasWorld {
  readonly definition: Definition;
  readonly names: Names;
  readonly faults: Faults;
  /** What is open beside the canvas: a step, or the entry. */
  readonly selected: string | undefined;
  /** True for viewers, and for everyone while a simulation is shown. */
  readonly isReadOnly: boolean;
  /** Undefined before the journey was ever active. */
  readonly live: ReadonlyMap<string, LiveCount> | undefined;
  /** A step that is being dragged from the palette. */
  readonly dragged: StepType | undefined;
  select(id: string): void;
  /** Asks which step to insert there. */
  ask(place: Place): void;
  insert(place: Place, type: StepType): void;
  remove(id: string): void;
  drag(type: StepType | undefined): void;
}

/** What a simulation shows at one moment. */
export interface Moment {
  readonly frame: Frame;
  readonly dots: ReadonlyMap<string, readonly Dot[]>;
  /** The contact being followed. */
  readonly followed: { readonly stepId: string | undefined; readonly edges: ReadonlySet<string> } | undefined;
}

const World = createContext<CanvasWorld | undefined>(undefined);
const MomentOf = createContext<Moment | undefined>(undefined);

export const CanvasWorldProvider = World.Provider;
export const MomentProvider = MomentOf.Provider;

export function useCanvasWorld(): CanvasWorld {
  const world = useContext(World);
  if (!world) throw new Error('There is no CanvasWorldProvider above.');
  return world;
}

/** Undefined while nothing is simulated. */
export const useMoment = (): Moment | undefined => useContext(MomentOf);
