/** Closes a union: the compiler refuses a forgotten case, and unexpected data throws. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
