// The few signs that the console uses, drawn on one 20 px grid. Always beside or instead of a label, never read aloud.
import type { ReactNode } from 'react';

function icon(paths: ReactNode) {
  return function Icon({ size = 16 }: { size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {paths}
      </svg>
    );
  };
}

export const MailIcon = icon(<path d="M3 5.5h14v9.5H3zM3.5 6l6.5 5 6.5-5" />);
export const OutboxIcon = icon(<path d="M3 11.5V16h14v-4.5M3 11.5h4l1 2h4l1-2h4M10 9.5V3M7 5.7 10 3l3 2.7" />);
export const BookIcon = icon(
  <path d="M4 4.5h5a2 2 0 0 1 1 .5v11a3 3 0 0 0-2-.7H4zM16 4.5h-4a2 2 0 0 0-2 .5v11a3 3 0 0 1 2-.7h4z" />,
);
export const SearchIcon = icon(<path d="M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13.2 13.2 17 17" />);
export const PlusIcon = icon(<path d="M10 4v12M4 10h12" />);
export const MoreIcon = icon(<path d="M5 10h.01M10 10h.01M15 10h.01" strokeWidth="2.4" />);
export const TrashIcon = icon(<path d="M4 6h12M8 6V4h4v2M5.5 6l.7 10h7.6l.7-10" />);
export const EyeIcon = icon(
  <path d="M2.5 10s2.7-5 7.5-5 7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z" />,
);
export const SendIcon = icon(<path d="M17 3 9 11M17 3l-5 14-3-6-6-3z" />);
export const CopyIcon = icon(<path d="M7 7h9v9H7zM4 13V4h9" />);
export const MenuIcon = icon(<path d="M3 6h14M3 10h14M3 14h14" />);
export const SunIcon = icon(
  <path d="M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.4 4.4l1 1M14.6 14.6l1 1M4.4 15.6l1-1M14.6 5.4l1-1" />,
);
export const MoonIcon = icon(<path d="M16 11.5A6.5 6.5 0 0 1 8.5 4a6.5 6.5 0 1 0 7.5 7.5z" />);
export const ScreenIcon = icon(<path d="M3 4h14v9H3zM7 16.5h6M10 13v3.5" />);
export const PhoneIcon = icon(<path d="M6.5 2.5h7v15h-7zM9.3 15h1.4" />);
export const AlertIcon = icon(<path d="M10 3.5 17.5 16h-15zM10 8v4M10 14h.01" />);
export const FolderIcon = icon(<path d="M3 5h5l1.5 2H17v9H3z" />);
export const SignOutIcon = icon(<path d="M8 4H4v12h4M12.5 6.5 16 10l-3.5 3.5M16 10H8" />);
export const ClockIcon = icon(<path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4l2.5 2" />);
