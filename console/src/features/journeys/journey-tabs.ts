import { t } from '../../texts/journey-canvas.ts';

export const tabs = (['canvas', 'enrolments', 'runs', 'versions', 'report', 'settings'] as const).map((id) => ({
  id,
  title: t.tabs[id],
}));
export type Tab = (typeof tabs)[number]['id'];
