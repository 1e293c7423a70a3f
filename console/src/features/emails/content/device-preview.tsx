import { useElementSize } from '@mantine/hooks';
import { SafePreview } from '../../../shared/safe-preview.tsx';
import classes from './device-preview.module.css';

export type Device = 'desktop' | 'phone';

// 680 px: the usual width of an email in desktop mail programs. 375 px: a common phone.
const widths: Record<Device, number> = { desktop: 680, phone: 375 };

/** On a phone, the phone comes first. */
export function usualDevice(): Device {
  return window.matchMedia('(max-width: 48em)').matches ? 'phone' : 'desktop';
}

/** The email at the width of a device; scaled down, not narrowed, if there is less room. */
export function DevicePreview({ html, device, title }: { html: string; device: Device; title: string }) {
  const { ref, width: room, height } = useElementSize();
  const width = device === 'desktop' ? Math.max(room, widths.desktop) : widths.phone;
  const scale = room === 0 ? 1 : Math.min(1, room / width);
  return (
    <div className={classes.stage} data-device={device}>
      <div ref={ref} className={classes.room}>
        <div
          className={classes.paper}
          style={{
            width,
            height: height / scale,
            transform: `scale(${scale})`,
            marginInline: centred(room, width, scale),
          }}
        >
          <SafePreview html={html} title={title} />
        </div>
      </div>
    </div>
  );
}

function centred(room: number, width: number, scale: number): number {
  return Math.max(0, (room - width * scale) / 2);
}
