import { memo } from 'react';
import { Link } from 'wouter';
import classes from './back-link.module.css';

export const BackLink = memo(function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} className={classes.back ?? ''}>
      <span aria-hidden="true">← </span>
      {label}
    </Link>
  );
});
