// A file that was dropped on another page waits here for the import page: addresses cannot carry files.
let waiting: File | undefined;

export const handedOver = {
  give(file: File): void {
    waiting = file;
  },
  take(): File | undefined {
    const file = waiting;
    waiting = undefined;
    return file;
  },
};
