import { Alert } from '@mantine/core';
import type { DataValue, testWebhook } from '@rapport/contract';
import { t } from '../../texts/webhooks.ts';
import classes from './webhook-test.module.css';

/** What a receiver answered to a test. */
export function TestAnswer({ told }: { told: DataValue<typeof testWebhook> }) {
  const { ok, status, durationMs, answer, error } = told;
  return (
    <Alert color={ok ? 'green' : 'red'} title={ok ? t.arrived : t.notArrived}>
      {status === null ? t.noAnswerIn(error ?? '', durationMs) : t.answeredIn(status, durationMs)}
      {status !== null && !ok && ` ${t.mustBe2xx}`}
      {answer !== null && answer !== '' && (
        // A person who uses the keyboard must be able to scroll it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section className={classes.answer} aria-label={t.answerStart} tabIndex={0}>
          {answer}
        </section>
      )}
    </Alert>
  );
}
