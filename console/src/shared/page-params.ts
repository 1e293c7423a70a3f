/** Every page gets what its address says. */
export interface PageParams {
  params: Readonly<Record<string, string | undefined>>;
}
