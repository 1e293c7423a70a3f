/** As `is` compares: types count, and an array equals what one of its elements does. */
export function equalsScalar(value: unknown, wanted: string | number | boolean): boolean {
  return Array.isArray(value) ? value.includes(wanted) : value === wanted;
}
