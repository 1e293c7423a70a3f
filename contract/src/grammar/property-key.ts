/** What a property's key looks like, as a pattern of JSON Schema. */
export const propertyKeyPattern = '^[a-z_][a-z0-9_]{0,63}$';

const shape = new RegExp(propertyKeyPattern);

/** Whether a property can have this key. `__proto__` has the right letters, but assigning to it does not set a key. */
export function isPropertyKey(key: string): boolean {
  return shape.test(key) && key !== '__proto__';
}
