/**
 * Like Promise.all, but waits for all of them before it throws the first error: the statements of a transaction may be on their way together,
 * and none may be sent once its connection is another's.
 */
export async function together<const Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [I in keyof Parts]: Awaited<Parts[I]> }> {
  // The first in time: later ones failed because of it.
  let failed: { error: unknown } | undefined;
  const values = await Promise.all(
    parts.map(async (part) => {
      try {
        return await part;
      } catch (error) {
        failed ??= { error };
      }
    }),
  );
  if (failed) throw failed.error;
  return values as { -readonly [I in keyof Parts]: Awaited<Parts[I]> };
}
