import { t } from '../../../texts/audience.ts';
import classes from './live-pane.module.css';

interface NodesProps {
  name: string;
  holds: boolean;
  nodes: readonly { path: string; text: string; holds: boolean; value?: unknown }[];
}

/** How many groups it is in: `filter.all[0].any[1]` is two deep. */
const depthOf = (path: string): number => path.split('[').length - 1;

/** The verdict, then every condition with its result for the contact and what was found. */
export function Nodes({ name, holds, nodes }: NodesProps) {
  // The first is the whole filter: the verdict says that already.
  const parts = nodes.length > 1 ? nodes.slice(1) : nodes;
  return (
    <div aria-live="polite">
      <p className={holds ? classes.holds : classes.fails}>{holds ? t.holds(name) : t.fails(name)}</p>
      <ol className={classes.nodes}>
        {parts.map((node) => (
          <li
            key={node.path}
            className={node.holds ? classes.true : classes.false}
            data-holds={node.holds}
            style={{ marginInlineStart: `${0.75 * Math.max(0, depthOf(node.path) - 1)}rem` }}
          >
            {node.text}
            {node.value !== undefined && (
              <span className={classes.found}>
                {node.value === null ? t.foundNothing : t.found(JSON.stringify(node.value))}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
