// Files wait here for the import page: addresses cannot carry them, and a browser's storage is no place for them. In memory alone.
let dropped: File | undefined;
let left: File | undefined;

export const handedOver = {
  /** One that was dropped on another page. */
  give(file: File): void {
    dropped = file;
  },
  take(): File | undefined {
    const file = dropped;
    dropped = undefined;
    return file;
  },
  /** One that was chosen, and not sent before the page went: by a link, or because the session ended. */
  leave(file: File | undefined): void {
    left = file;
  },
  /** Only for the person who still has the draft that names it: signing out leaves nothing. */
  find(name: string): File | undefined {
    return left?.name === name ? left : undefined;
  },
};
