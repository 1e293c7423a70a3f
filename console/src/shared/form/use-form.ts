// What every form does: keeps input, validates it, submits it, shows errors at the fields, and closes.
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { t } from '../../texts/shared.ts';
import { type Typed, useTyped } from '../drafts/use-typed.ts';
import { useGoOn, useIsHere } from '../use-go-on.ts';
import { type Faults, faultsOf } from './faults.ts';
import { type Action, useAction } from './use-action.ts';

export interface FormOptions<Fields extends object, Label extends string, Result>
  extends Pick<Action<Fields, Result>, 'refresh' | 'said'> {
  /** The name of the draft, with the id of what it is about. */
  draft: string;
  initial: Fields;
  /** The part of the input that may be kept in the browser. */
  withoutSecrets?: (typed: Partial<Fields>) => Partial<Fields>;
  /** Says so of the rest, once the form is opened again. */
  notKept?: string;
  /** Labels of the fields, by their names in the API. */
  labels: Readonly<Record<Label, string>>;
  /** Validates the input before anything is sent. */
  check?: (fields: Fields) => Faults<NoInfer<Label>>;
  send: (fields: Fields) => Result | Promise<Result>;
  /** Replaces the usual error messages. */
  refused?: (error: Error, fields: Fields) => Faults<NoInfer<Label>>;
  onSent?: (result: Result) => unknown;
  /** The page of the created thing. */
  goTo?: (result: Result) => string;
  onClose?: (() => void) | undefined;
  /** The form stays open after submitting: a secret replaces the form, a result is shown beside it, or progress is shown. */
  staysOpen?: 'secret' | 'answer' | 'progress';
}

export interface Form<Fields, Label extends string = string, Result = unknown> extends Omit<Typed<Fields>, 'forget'> {
  /** What a restored form says. */
  restoredText: string;
  faults: Faults<Label>;
  isBusy: boolean;
  /** The response to the submission. */
  result: Result | undefined;
  submit: () => void;
  /** Closes, and keeps the input for the next time. */
  onClose: (() => void) | undefined;
  /** Closes, and discards the input. */
  cancel: (() => void) | undefined;
  /** For fields whose onChange passes an event. */
  text: <Name extends keyof Fields & Label>(
    name: Name,
  ) => FieldProps<Fields[Name], { currentTarget: { value: Fields[Name] } }>;
  /** For fields whose onChange passes a value; null, for no choice, changes nothing. */
  choice: <Name extends keyof Fields & Label>(name: Name) => FieldProps<Fields[Name], Fields[Name] | null>;
}

interface FieldProps<Value, Change> {
  label: string;
  value: Value;
  error: string | undefined;
  onChange: (change: Change) => void;
}

export function useForm<Fields extends object, Label extends string, Result>(
  options: FormOptions<Fields, Label, Result>,
): Form<Fields, Label, Result> {
  const { labels, check = () => ({}), send, refused, onSent, goTo, onClose, staysOpen, said, refresh = [] } = options;
  const typed = useTyped(options.draft, options.initial, options.withoutSecrets);
  const [isAsked, setAsked] = useState(false);
  const isHere = useIsHere();
  const goOn = useGoOn();
  const sending = useAction<Result, Fields>({
    ...{ act: send, said, refresh, isToldInPlace: true },
    onDone: async (result) => {
      if (staysOpen !== 'answer') typed.forget();
      setAsked(false);
      await onSent?.(result);
      if (goTo) goOn(goTo(result));
      else if (!staysOpen && isHere()) onClose?.();
      else if (staysOpen === 'secret' && !isHere())
        notifications.show({ color: 'yellow', message: t.secretUnseen, autoClose: false });
    },
  });
  const wrong: Faults<Label> = check(typed.values);
  const refusals = sending.error && (refused?.(sending.error, typed.values) ?? faultsOf(sending.error, labels));
  const faults = { ...refusals, ...(isAsked ? known(wrong) : {}) } as Faults<Label>;
  const set = (changes: Partial<Fields>) => {
    typed.set(changes);
    if (sending.error) sending.reset();
  };
  const field = <Name extends keyof Fields & Label>(name: Name) => ({
    ...{ label: labels[name], value: typed.values[name], error: faults[name] },
  });
  const change = (name: keyof Fields, value: unknown) => set({ [name]: value } as Partial<Fields>);
  return {
    ...{ values: typed.values, isRestored: typed.isRestored, restoredText: restoredText(options) },
    ...{ set, faults, onClose, isBusy: sending.isPending, result: sending.data },
    submit: () => {
      setAsked(true);
      if (!sending.isPending && Object.keys(known(wrong)).length === 0) sending.mutate(typed.values);
    },
    cancel:
      onClose &&
      (() => {
        typed.forget();
        onClose();
      }),
    text: (name) => ({ ...field(name), onChange: (event) => change(name, event.currentTarget.value) }),
    choice: (name) => ({ ...field(name), onChange: (value) => value !== null && change(name, value) }),
  };
}

/** Where everything is secret, nothing of it is still there. */
function restoredText<Fields extends object>(
  options: Pick<FormOptions<Fields, string, unknown>, 'initial' | 'withoutSecrets' | 'notKept'>,
): string {
  const { initial, withoutSecrets = asItIs, notKept } = options;
  const isAnyKept = Object.keys(withoutSecrets(initial)).length > 0;
  return [isAnyKept && t.draftRestored, notKept].filter(Boolean).join(' ');
}

const asItIs = <Fields>(typed: Partial<Fields>) => typed;

function known<Label extends string>(faults: Faults<Label>): Faults<Label> {
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined)) as Faults<Label>;
}
