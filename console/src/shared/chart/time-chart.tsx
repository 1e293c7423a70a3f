// Values over time as lines or bars: our own SVG, because the well-known library would be larger than the page around it. The arrow keys move
// along it, and screen readers get the same figures as a table.
import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { compact, whole } from '../../texts/numbers.ts';
import { linePath, ticksTo } from './scale.ts';
import classes from './time-chart.module.css';

interface Series {
  name: string;
  /** One of the colours in time-chart.module.css. */
  colour: 'accent' | 'good' | 'warn' | 'bad' | 'info' | 'quiet';
  values: readonly number[];
  /** Values of the period before: drawn thin and dashed. */
  isBefore?: boolean;
}

interface TimeChartProps {
  label: string;
  /** ISO times, one for each value. */
  times: readonly string[];
  timeName: (time: string) => string;
  series: readonly Series[];
  kind?: 'line' | 'bar';
  height?: number;
  format?: (value: number) => string;
}

const room = { top: 8, right: 8, bottom: 22, left: 40 };
/** With more the points would touch each other. */
const mostPoints = 31;

export function TimeChart({
  label,
  times,
  timeName,
  series,
  kind = 'line',
  height = 220,
  format = whole,
}: TimeChartProps) {
  const { ref, width } = useElementSize();
  const [at, setAt] = useState<number>();
  const ticks = ticksTo(Math.max(0, ...series.flatMap(({ values }) => values)));
  const most = ticks.at(-1) ?? 1;
  const inner = { width: Math.max(1, width - room.left - room.right), height: height - room.top - room.bottom };
  const step = kind === 'bar' ? inner.width / Math.max(1, times.length) : inner.width / Math.max(1, times.length - 1);
  const x = (index: number) => room.left + (kind === 'bar' ? (index + 0.5) * step : index * step);
  const y = (value: number) => room.top + inner.height * (1 - value / most);
  const nearest = (event: PointerEvent<SVGSVGElement>) => {
    const inside = event.clientX - event.currentTarget.getBoundingClientRect().left - room.left;
    const index = kind === 'bar' ? Math.floor(inside / step) : Math.round(inside / step);
    setAt(Math.min(times.length - 1, Math.max(0, index)));
  };
  const onKey = (event: KeyboardEvent) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    setAt((old) => Math.min(times.length - 1, Math.max(0, (old ?? (way > 0 ? -1 : times.length)) + way)));
  };
  const labels = everyNth(times, Math.max(1, Math.ceil((times.length * 76) / inner.width)));
  return (
    <figure className={classes.chart} ref={ref} aria-label={label}>
      <Legend series={series} at={at} times={times} timeName={timeName} format={format} />
      <svg
        width="100%"
        height={height}
        role="img"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrows move along it
        tabIndex={0}
        className={classes.plot}
        onPointerMove={nearest}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
        onKeyDown={onKey}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={room.left} x2={room.left + inner.width} y1={y(tick)} y2={y(tick)} className={classes.grid} />
            <text x={room.left - 8} y={y(tick) + 4} textAnchor="end" className={classes.tick}>
              {compact(tick)}
            </text>
          </g>
        ))}
        {labels.map(({ value, index }) => (
          <text
            key={value}
            // The last one would be cut off at the edge.
            x={x(index) > width - 24 ? width - 2 : x(index)}
            y={height - 6}
            textAnchor={x(index) > width - 24 ? 'end' : 'middle'}
            className={classes.tick}
          >
            {timeName(value)}
          </text>
        ))}
        {at !== undefined && (
          <line x1={x(at)} x2={x(at)} y1={room.top} y2={room.top + inner.height} className={classes.cursor} />
        )}
        {series.map((each, index) =>
          kind === 'bar' ? (
            <g key={each.name} className={classes[each.colour]}>
              {each.values.map((value, place) => (
                <rect
                  key={times[place]}
                  x={x(place) - step * 0.36 + (index * step * 0.72) / series.length}
                  y={y(value)}
                  width={Math.max(1, (step * 0.72) / series.length)}
                  height={Math.max(0, y(0) - y(value))}
                  rx={2}
                  className={classes.bar}
                />
              ))}
            </g>
          ) : (
            <g key={each.name} className={classes[each.colour]}>
              <path
                d={linePath(each.values.map((value, place) => ({ x: x(place), y: y(value) })))}
                className={`${classes.line} ${each.isBefore ? classes.before : ''}`}
              />
              {times.length <= mostPoints &&
                !each.isBefore &&
                each.values.map((value, place) => (
                  <circle key={times[place]} cx={x(place)} cy={y(value)} r={2.25} className={classes.dot} />
                ))}
              {at !== undefined && <circle cx={x(at)} cy={y(each.values[at] ?? 0)} r={3.5} className={classes.dot} />}
            </g>
          ),
        )}
      </svg>
      <Figures label={label} times={times} timeName={timeName} series={series} format={format} />
    </figure>
  );
}

function everyNth(values: readonly string[], nth: number): { value: string; index: number }[] {
  return values.map((value, index) => ({ value, index })).filter(({ index }) => index % nth === 0);
}

type LegendProps = Required<Pick<TimeChartProps, 'series' | 'times' | 'timeName' | 'format'>> & {
  at: number | undefined;
};

function Legend({ series, at, times, timeName, format }: LegendProps) {
  return (
    <figcaption className={classes.legend}>
      {series.map(({ name, colour, values }) => (
        <span key={name} className={classes.name}>
          <span className={`${classes.spot} ${classes[colour]}`} />
          {name}
          {at !== undefined && <strong className="tabular">{format(values[at] ?? 0)}</strong>}
        </span>
      ))}
      <span className={classes.when} role="status">
        {at === undefined ? '' : timeName(times[at] ?? '')}
      </span>
    </figcaption>
  );
}

function Figures({ label, times, timeName, series, format }: Omit<LegendProps, 'at'> & { label: string }) {
  return (
    <VisuallyHidden>
      <table aria-label={label}>
        <thead>
          <tr>
            <td />
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, at) => (
            <tr key={time}>
              <th scope="row">{timeName(time)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{format(values[at] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}
