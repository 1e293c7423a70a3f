// The few icons of the console, drawn on one 20 px grid. Always beside or instead of a label, never read aloud.
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
export const BroadcastIcon = icon(<path d="M3 8v4h3l7 4V4L6 8zM6 12l1 4.5h2M16 8a3 3 0 0 1 0 4" />);
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
export const HomeIcon = icon(<path d="M3.5 9.5 10 4l6.5 5.5M5 8.5V16h10V8.5M8.5 16v-4h3v4" />);
export const PersonIcon = icon(
  <path d="M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 16.5c.6-2.9 3-4.5 6-4.5s5.4 1.6 6 4.5" />,
);
export const PeopleIcon = icon(
  <path d="M7.5 9.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM2.5 15.500c.5-2.5 2.5-3.8 5-3.800s4.5 1.3 5 3.800M13 4.800a2.3 2.3 0 0 1 0 4.400M14.5 12c1.7.5 2.7 1.7 3 3.5" />,
);
export const BuildingIcon = icon(
  <path d="M5 16.500V4h7v12.500M12 8h3.500v8.500M3.5 16.500h13M7.5 7h2M7.5 10h2M7.5 13h2" />,
);
export const ListIcon = icon(
  <path d="M7 5.500h9.500M7 10h9.500M7 14.500h9.500M3.5 5.500h.01M3.5 10h.01M3.5 14.500h.01" />,
);
export const ListPlusIcon = icon(<path d="M3.5 5.500h13M3.5 10h7M3.5 14.500h7M14.500 10.500v6M11.500 13.500h6" />);
export const ListMinusIcon = icon(<path d="M3.5 5.500h13M3.5 10h7M3.5 14.500h7M11.500 13.500h6" />);
export const FilterIcon = icon(<path d="M3 5h14M6 10h8M8.5 15h3" />);
export const JourneyIcon = icon(
  <path d="M4.5 6.500a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.600zM15.5 17a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.600zM6.3 4.700H13a2.7 2.7 0 0 1 0 5.400H7a2.6 2.6 0 0 0 0 5.200h6.7" />,
);
/** A path that is left halfway. */
export const LeaveIcon = icon(
  <path d="M4.5 6.500a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.600zM6.3 4.700H13a2.7 2.7 0 0 1 0 5.400H8M12.2 12.700l4.500 4.500M16.700 12.700l-4.500 4.500" />,
);
export const EventIcon = icon(<path d="M2.5 10.500h3l2.5-6 4 11 2.5-5h3" />);
/** Upload: the arrow leaves the tray. */
export const UploadIcon = icon(<path d="M10 12V3M6.8 6.2 10 3l3.2 3.200M3.5 13v3.500h13V13" />);
/** Download. */
export const DownloadIcon = icon(<path d="M10 3v9M6.8 9 10 12.2 13.2 9M3.5 13v3.500h13V13" />);
export const LogIcon = icon(<path d="M5 3h10v14H5zM7.5 7h5M7.5 10h5M7.5 13h3" />);
export const HookIcon = icon(
  <path d="M8 7.5 5.5 12M8.5 7a2.5 2.5 0 1 1 3.4-2.900M9.5 14.500h4.500M5.5 17a2.5 2.5 0 1 1 .3-5M11.5 7l2.6 5M14 17a2.5 2.5 0 1 0-.5-4.950" />,
);
export const ChartIcon = icon(<path d="M3.5 16.500h13M5.5 13.500V10M9 13.500V5M12.5 13.500V8M16 13.500V6.5" />);
export const GearIcon = icon(
  <path d="M10 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10 2.800v2M10 15.200v2M2.8 10h2M15.2 10h2M4.9 4.900l1.4 1.400M13.7 13.700l1.4 1.400M4.9 15.100l1.4-1.400M13.7 6.300l1.4-1.4" />,
);
export const BlockIcon = icon(<path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM5.2 5.200l9.6 9.6" />);
export const QuestionIcon = icon(
  <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM8 8a2 2 0 1 1 2.7 1.900c-.5.2-.7.6-.7 1.100M10 13.500h.01" />,
);
export const CheckIcon = icon(<path d="m4.5 10.5 3.5 3.5 7.5-8" />);
export const CloseIcon = icon(<path d="m5 5 10 10M15 5 5 15" />);
export const ChevronDownIcon = icon(<path d="m5.5 8 4.5 4.500L14.5 8" />);
export const ChevronRightIcon = icon(<path d="m8 5.5 4.5 4.500L8 14.5" />);
export const ArrowUpIcon = icon(<path d="M10 16V4M5.5 8.5 10 4l4.5 4.5" />);
export const ArrowDownIcon = icon(<path d="M10 4v12M5.5 11.5 10 16l4.5-4.5" />);
export const UndoIcon = icon(<path d="M7 4 3.5 7.5 7 11M3.5 7.500H12a4.5 4.5 0 0 1 0 9H9" />);
export const RedoIcon = icon(<path d="m13 4 3.5 3.500L13 11M16.5 7.500H8a4.5 4.5 0 0 0 0 9h3" />);
export const PlayIcon = icon(<path d="M6.5 4v12l9-6z" />);
export const PauseIcon = icon(<path d="M7 4.500v11M13 4.500v11" />);
export const LinkIcon = icon(
  <path d="m8.5 11.5 3-3M7 9 5 11a3 3 0 0 0 4.2 4.200l1.8-2M13 11l2-2a3 3 0 0 0-4.2-4.200L9 6.8" />,
);
export const KeyIcon = icon(<path d="M7 13a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10.5 9.500H17v3M14 9.500V12" />);
export const GlobeIcon = icon(
  <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM3 10h14M10 3c2 2 3 4.3 3 7s-1 5-3 7c-2-2-3-4.3-3-7s1-5 3-7z" />,
);
export const ShieldIcon = icon(<path d="M10 3 4 5v5c0 3.5 2.4 5.9 6 7 3.6-1.1 6-3.5 6-7V5z" />);
export const EditIcon = icon(<path d="M4 16h3l9-9-3-3-9 9zM11.5 5.500l3 3" />);
export const DragIcon = icon(<path d="M8 5h.01M12 5h.01M8 10h.01M12 10h.01M8 15h.01M12 15h.01" strokeWidth="2.2" />);
export const ColumnsIcon = icon(<path d="M3.5 4h13v12h-13zM8 4v12M12.5 4v12" />);
export const InfoIcon = icon(<path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.500V14M10 6.500h.01" />);
export const BranchIcon = icon(<path d="M10 3v4.5M10 7.5 5 12v4.500M10 7.5l5 4.500v4.500" />);
export const SplitIcon = icon(
  <path d="M3 10h5l4-5h5M8 10l4 5h5M14.5 2.500 17 5l-2.5 2.500M14.5 12.500 17 15l-2.5 2.500" />,
);
export const HourglassIcon = icon(
  <path d="M5.5 3h9M5.5 17h9M6.5 3c0 4 7 4.500 7 7s-7 3-7 7M13.5 3c0 4-7 4.500-7 7s7 3 7 7" />,
);
export const TagIcon = icon(<path d="M3.5 3.500h6l7 7-6 6-7-7zM6.8 6.800h.01" />);
/** What people agreed to hear about: a speech bubble with a tick. */
export const TopicIcon = icon(<path d="M3 4h14v9.500H9L5.500 16.500v-3H3zM7 8.700l2 2 4-4" />);
export const FormIcon = icon(<path d="M4 3.500h12v13H4zM7 7h6M7 10h6M7 13h3" />);
export const ExitIcon = icon(<path d="M8.5 4H4.500v12h4M12 6.500 15.500 10 12 13.500M15.500 10H8.500" />);
export const MinusIcon = icon(<path d="M4 10h12" />);
export const FitIcon = icon(<path d="M3.5 7.500v-4h4M16.5 7.500v-4h-4M3.500 12.500v4h4M16.500 12.500v4h-4" />);
export const RestartIcon = icon(<path d="M4 4.500V8.500h4M4.300 8.500A6.300 6.300 0 1 1 3.800 12" />);
export const TargetIcon = icon(<path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6z" />);
export const CodeIcon = icon(<path d="M7 6 3 10l4 4M13 6l4 4-4 4" />);
export const BookmarkIcon = icon(<path d="M5.5 3h9v14L10 13.500 5.500 17z" />);
export const DetachIcon = icon(
  <path d="M8.500 6.500 10 5a3.200 3.200 0 0 1 4.500 4.500L13 11M11.500 13.500 10 15a3.200 3.200 0 0 1-4.500-4.500L7 9M4 4l12 12" />,
);
export const BoldIcon = icon(<path d="M6 4h5a3 3 0 0 1 0 6H6zM6 10h6a3 3 0 0 1 0 6H6z" strokeWidth="2" />);
export const ItalicIcon = icon(<path d="M8.5 4h6M5.5 16h6M11.5 4l-3 12" />);
export const UnderlineIcon = icon(<path d="M6 4v5a4 4 0 0 0 8 0V4M5 17h10" />);
export const StrikeIcon = icon(
  <path d="M14 6.200C13.500 4.800 12 4 10 4 7.500 4 6 5.200 6 7c0 1.500 1 2.400 3 3M6 13.500C6.400 15.200 8 16 10 16c2.500 0 4-1.200 4-3 0-.800-.300-1.500-.900-2M3.500 10h13" />,
);
export const BulletsIcon = icon(<path d="M8 5h9M8 10h9M8 15h9M3.500 5h.01M3.500 10h.01M3.500 15h.01" />);
export const NumbersIcon = icon(
  <path d="M9 5h8M9 10h8M9 15h8M3 4l1.500-1v4.500M3 12c0-1.500 2.500-1.300 2.500.200 0 .900-2.500 2.300-2.500 2.800h2.600" />,
);
