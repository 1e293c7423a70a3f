import classes from './data-table.module.css';

interface PickBoxProps {
  label: string;
  isPicked: boolean;
  /** Some of its rows are picked, not all. */
  isPartly?: boolean;
  onPick: (isPicked: boolean) => void;
}

/** The browser's own check box: one of Mantine's takes as long to make as the whole rest of a row, which shows while one scrolls. */
export function PickBox({ label, isPicked, isPartly = false, onPick }: PickBoxProps) {
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label={label}
      checked={isPicked}
      ref={(box) => {
        // No attribute has this.
        if (box) box.indeterminate = isPartly;
      }}
      onChange={(event) => onPick(event.currentTarget.checked)}
    />
  );
}
