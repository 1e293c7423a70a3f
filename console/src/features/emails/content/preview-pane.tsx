import { SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ErrorState } from '../../../shared/error-state.tsx';
import { MoonIcon, PhoneIcon, ScreenIcon, SunIcon } from '../../../shared/icons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t as words } from '../../../texts/designs.ts';
import { t } from '../../../texts/emails.ts';
import { inScheme, knowsDark } from '../design/model/look.ts';
import type { Draft } from '../draft.ts';
import type { Contact } from '../email-api.ts';
import { ContactPicker } from './contact-picker.tsx';
import { type Device, DevicePreview, usualDevice } from './device-preview.tsx';
import classes from './preview-pane.module.css';
import type { PreviewState } from './use-preview.ts';

interface PreviewPaneProps {
  draft: Pick<Draft, 'fromName' | 'fromEmail'>;
  /** Until it is rendered. */
  subject: string;
  preview: PreviewState;
  contact: Contact | undefined;
  onContact: (contact: Contact | undefined) => void;
}

export function PreviewPane({ draft, subject, preview, contact, onContact }: PreviewPaneProps) {
  const [device, setDevice] = useState<Device>(usualDevice);
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  const { result, html, error } = preview;
  return (
    <section aria-label={t.preview} className={classes.pane}>
      <div className={classes.tools}>
        <div className={classes.picker}>
          <ContactPicker
            label={t.previewAs}
            labelHidden
            hint={t.previewAsHint}
            contact={contact}
            onChange={onContact}
          />
        </div>
        <SegmentedControl
          aria-label={t.width}
          value={device}
          onChange={(value) => setDevice(value as Device)}
          data={[
            { value: 'desktop', label: <Choice label={t.desktop} icon={<ScreenIcon />} /> },
            { value: 'phone', label: <Choice label={t.phone} icon={<PhoneIcon />} /> },
          ]}
        />
        <SegmentedControl
          aria-label={words.scheme}
          value={scheme}
          onChange={(value) => setScheme(value as typeof scheme)}
          data={[
            { value: 'light', label: <Choice label={words.schemeLight} icon={<SunIcon />} /> },
            { value: 'dark', label: <Choice label={words.schemeDark} icon={<MoonIcon />} /> },
          ]}
        />
      </div>
      <div className={classes.inbox}>
        <div className={classes.sender}>
          <span className={classes.from}>{draft.fromName || draft.fromEmail}</span>
          {result && (
            <ToneBadge tone={result.chosen === 'version' ? 'info' : 'quiet'}>{t.chosen[result.chosen]}</ToneBadge>
          )}
        </div>
        <div className={classes.subject} data-testid="preview-subject">
          {result?.subject || subject}
        </div>
        {result?.preheader && <div className={classes.preheader}>{result.preheader}</div>}
        {result && (
          <Text size="xs" c="dimmed" mt={4} role="status">
            {result.reason}
          </Text>
        )}
      </div>
      {scheme === 'dark' && html !== undefined && !knowsDark(html) && (
        <Text size="xs" c="dimmed" role="status">
          {words.noDark}
        </Text>
      )}
      {error && <ErrorState error={error} compact />}
      {html === undefined && !error && <LoadingState label={t.rendering} />}
      {html !== undefined && (
        <DevicePreview html={inScheme(html, scheme === 'dark')} device={device} title={t.previewTitle} />
      )}
    </section>
  );
}

function Choice({ label, icon }: { label: string; icon: ReactNode }) {
  return (
    <span className={classes.choice} title={label}>
      {icon}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
