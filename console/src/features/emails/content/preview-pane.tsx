import { SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ErrorState } from '../../../shared/error-state.tsx';
import { PhoneIcon, ScreenIcon } from '../../../shared/icons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/emails.ts';
import type { Draft } from '../draft.ts';
import type { Contact } from '../email-api.ts';
import { ContactPicker } from './contact-picker.tsx';
import { type Device, DevicePreview, usualDevice } from './device-preview.tsx';
import classes from './preview-pane.module.css';
import type { PreviewState } from './use-preview.ts';

interface PreviewPaneProps {
  draft: Draft;
  preview: PreviewState;
  contact: Contact | undefined;
  onContact: (contact: Contact | undefined) => void;
}

export function PreviewPane({ draft, preview, contact, onContact }: PreviewPaneProps) {
  const [device, setDevice] = useState<Device>(usualDevice);
  const { result, html, error } = preview;
  return (
    <section aria-label={t.preview} className={classes.pane}>
      <div className={classes.tools}>
        <div className={classes.picker}>
          <ContactPicker label={t.previewAs} labelHidden contact={contact} onChange={onContact} />
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
      </div>
      <div className={classes.inbox}>
        <div className={classes.sender}>
          <span className={classes.from}>{draft.fromName || draft.fromEmail}</span>
          {result && (
            <ToneBadge tone={result.chosen === 'version' ? 'info' : 'quiet'}>{t.chosen[result.chosen]}</ToneBadge>
          )}
        </div>
        <div className={classes.subject} data-testid="preview-subject">
          {result?.subject || draft.subject}
        </div>
        {result?.preheader && <div className={classes.preheader}>{result.preheader}</div>}
        {result && (
          <Text size="xs" c="dimmed" mt={4} role="status">
            {result.reason}
          </Text>
        )}
      </div>
      {error && <ErrorState error={error} compact />}
      {html === undefined && !error && <LoadingState label={t.rendering} />}
      {html !== undefined && <DevicePreview html={html} device={device} title={t.previewTitle} />}
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
