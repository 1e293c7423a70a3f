// Files wait here for the import page: addresses cannot carry them, and browser storage is not meant for them. Only in memory.
let dropped: File | undefined;
let left: File | undefined;

export const handedOver = {
  /** A file that was dropped on another page. */
  give(file: File): void {
    dropped = file;
  },
  take(): File | undefined {
    const file = dropped;
    dropped = undefined;
    return file;
  },
  /** A file that was chosen, and not sent before the page was left: by a link, or because the session ended. */
  leave(file: File | undefined): void {
    left = file;
  },
  /** Only for the user who still has the draft that names it: signing out leaves nothing. */
  find(name: string): File | undefined {
    return left?.name === name ? left : undefined;
  },
};
