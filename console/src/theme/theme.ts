// The look of the console. Colours that Mantine does not name are in tokens.css.
import { createTheme, type MantineColorsTuple } from '@mantine/core';

const iris: MantineColorsTuple = [
  '#f4f4ff',
  '#e6e7ff',
  '#cfd0fb',
  '#b0b2f5',
  '#8f90ec',
  '#7273e0',
  '#5b5bd6',
  '#5151cd',
  '#4343b0',
  '#272962',
];
// Cool greys. Index 6 is Mantine's colour for secondary text and has 5.9:1 on white.
const gray: MantineColorsTuple = [
  '#f9f9fb',
  '#f2f2f5',
  '#e8e8ec',
  '#dfe0e6',
  '#cdced6',
  '#9a9ca7',
  '#60646c',
  '#494c54',
  '#2f3238',
  '#1c2024',
];
// 0 is text, 2 secondary text, 4 lines, 6 fields, 7 the page.
const dark: MantineColorsTuple = [
  '#edeef0',
  '#d3d6db',
  '#abafb6',
  '#7d828b',
  '#373b41',
  '#2c2f34',
  '#1e2023',
  '#141517',
  '#0f1011',
  '#0a0b0c',
];

/** Of dialogs. Mantine's line height, 1, lets the lines of a long one overlap. */
const title = { minWidth: 0, fontSize: '1rem', fontWeight: 600, lineHeight: 1.35, overflowWrap: 'anywhere' } as const;

export const theme = createTheme({
  colors: { iris, gray, dark },
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 6 },
  black: '#1c2024',
  fontFamily: "'Inter Variable', 'Segoe UI', -apple-system, BlinkMacSystemFont, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.35' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        radius: 'lg',
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: {
        title,
        header: { backgroundColor: 'var(--surface)' },
        content: { backgroundColor: 'var(--surface)', border: '1px solid var(--line)' },
      },
    },
    Drawer: { styles: { title } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    InputWrapper: {
      defaultProps: { size: 'sm' },
      // Mantine would make them two pixels smaller than the field, which is too small to read.
      styles: {
        label: { marginBottom: 4 },
        description: { marginBottom: 4, fontSize: '0.75rem' },
        error: { fontSize: '0.75rem' },
      },
    },
    // Mantine makes descriptions two pixels smaller than their field, which is below what we allow.
    Checkbox: { defaultProps: { radius: 'xs' }, styles: { description: { fontSize: '0.75rem' } } },
    Radio: { styles: { description: { fontSize: '0.75rem' } } },
    Switch: { styles: { description: { fontSize: '0.75rem' } } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } },
    Button: { defaultProps: { size: 'sm', fw: 500 } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right' } },
    Tooltip: { defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } } },
    SegmentedControl: { defaultProps: { size: 'xs', radius: 'sm' } },
  },
});

/** Dialogs open and close without animation: people who work all day do not want to wait for them. */
export const noTransition = { transitionProps: { duration: 0 } };
