/** Every page gets the parameters of its address. */
export interface PageParams {
  params: Readonly<Record<string, string | undefined>>;
}
