/** Closes a union: the compiler refuses a forgotten case, and unexpected data throws. */
export function assertNever(value: never): never {
  throw new Error(`Nobody knows what to do with ${JSON.stringify(value)}`);
}
