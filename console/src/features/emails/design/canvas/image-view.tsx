import type { ImageBlock } from '@rapport/contract';
import { words } from '../../../../texts/designs.ts';
import { ownPicture } from '../model/look.ts';
import classes from './canvas.module.css';
import { Row } from './row.tsx';

/** The console asks no other host for anything, so a picture from elsewhere is seen in the preview alone. */
export function ImageView({ block: { src, alt, width, align = 'center' } }: { block: ImageBlock }) {
  const own = ownPicture(src);
  return (
    <Row style={{ padding: '10px 0', textAlign: align }}>
      {own ? (
        <img src={own} alt={alt} className={classes.picture} style={width ? { width: `${width}%` } : {}} />
      ) : (
        <span className={classes.noPicture} style={width ? { width: `${width}%` } : {}}>
          <strong>{alt || words.titleOf('image')}</strong>
          <span>{src ? words.pictureElsewhere(hostOf(src)) : words.noPicture}</span>
        </span>
      )}
    </Row>
  );
}

function hostOf(src: string): string {
  return URL.canParse(src) ? new URL(src).host : src;
}
