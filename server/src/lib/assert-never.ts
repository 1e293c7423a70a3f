/** Closes a union: the compiler refuses a case that was forgotten, and data from elsewhere is told. */
export function assertNever(value: never): never {
  throw new Error(`Nobody knows what to do with ${JSON.stringify(value)}`);
}
