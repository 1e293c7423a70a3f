import { t } from '../texts/shell.ts';
import iconUrl from '../theme/icon.svg';
import classes from './brand.module.css';

export function Brand() {
  return (
    <span className={classes.brand}>
      <img src={iconUrl} alt="" width={22} height={22} />
      {t.rapport}
    </span>
  );
}
