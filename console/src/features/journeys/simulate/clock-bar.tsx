// The virtual clock: play, pause, drag through time, choose a speed.
import { ActionIcon, Button, Select, Slider } from '@mantine/core';
import { PauseIcon, PlayIcon, RestartIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-simulation.ts';
import { dayNumber, sayMoment, speeds } from './clock.ts';
import classes from './clock-bar.module.css';
import type { Run } from './run.ts';
import type { Playback } from './use-playback.ts';

export function ClockBar({ run, playback }: { run: Run; playback: Playback }) {
  const { at, isPlaying, speed } = playback;
  return (
    <section className={classes.bar} aria-label={t.clock}>
      <Button
        size="xs"
        leftSection={isPlaying ? <PauseIcon size={14} /> : <PlayIcon size={14} />}
        onClick={isPlaying ? playback.pause : playback.play}
      >
        {isPlaying ? t.pausePlay : t.play}
      </Button>
      <ActionIcon variant="default" size={30} aria-label={t.again} onClick={() => playback.seek(run.start)}>
        <RestartIcon />
      </ActionIcon>
      <output className={classes.now}>
        <b>{t.day(dayNumber(run.start, at))}</b>
        <time dateTime={new Date(at).toISOString()}>{sayMoment(at)}</time>
      </output>
      <Slider
        className={classes.slider ?? ''}
        thumbLabel={t.clock}
        min={run.start}
        max={Math.max(run.end, run.start + 1)}
        step={60_000}
        value={at}
        label={(value) => sayMoment(value)}
        onChange={playback.seek}
      />
      <Select
        aria-label={t.speed}
        size="xs"
        w={118}
        data={speeds.map(({ id }) => ({ value: id, label: t.speeds[id as keyof typeof t.speeds] }))}
        value={speed.id}
        allowDeselect={false}
        onChange={(id) => playback.setSpeed(speeds.find((each) => each.id === id) ?? speed)}
      />
    </section>
  );
}
