import classes from './data-table.module.css';

interface PickBoxProps {
  label: string;
  isPicked: boolean;
  /** Some of its rows are selected, but not all. */
  isPartly?: boolean;
  onPick: (isPicked: boolean) => void;
}

/** The browser's own checkbox: Mantine's takes as long to create as the whole rest of a row, which is noticeable while scrolling. */
export function PickBox({ label, isPicked, isPartly = false, onPick }: PickBoxProps) {
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label={label}
      checked={isPicked}
      ref={(box) => {
        // There is no attribute for this.
        if (box) box.indeterminate = isPartly;
      }}
      onChange={(event) => onPick(event.currentTarget.checked)}
    />
  );
}
