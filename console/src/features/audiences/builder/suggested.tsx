import { Button } from '@mantine/core';
import { PlusIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/filter.ts';
import classes from './builder.module.css';
import { useBuilder } from './builder-context.ts';
import { beginCondition } from './model/begin.ts';
import { addNode } from './model/edit.ts';
import { conditionOf } from './model/tree.ts';
import { usePropertyTypes } from './suggestions.ts';

/** Properties from a recent import: one click starts a condition about one. */
export function Suggested() {
  const { tree, suggested } = useBuilder();
  const { data, isPending } = usePropertyTypes(suggested.length > 0);
  if (suggested.length === 0) return null;
  const begin = (key: string) => {
    const types = data?.get(key) ?? [];
    const condition = conditionOf(beginCondition({ subject: 'property', name: key, types }));
    tree.change(addNode(tree.root, tree.root.id, condition));
  };
  return (
    <div className={classes.suggested}>
      <span>{t.tryIt}</span>
      {suggested.map((key) => (
        <Button
          key={key}
          variant="default"
          size="compact-sm"
          // The first operator depends on the type.
          disabled={isPending}
          leftSection={<PlusIcon size={12} />}
          onClick={() => begin(key)}
        >
          {key}
        </Button>
      ))}
    </div>
  );
}
