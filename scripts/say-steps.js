// Reports progress: a line when a step begins, one every few seconds while it lasts, one when it is done. Plain lines on standard error,
// on a terminal and elsewhere: a log without a new line for 15 s looks like a hanging service.
const everyMs = 5000;

/**
 * @template T
 * @param {string} what Such as "compiling".
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
  console.error(`  ${what} …`);
  const timer = setInterval(() => console.error(`  ${what}: ${Math.round(Number(seconds()))} s so far …`), everyMs);
  try {
    const done = await work();
    console.error(`  ${what}: done in ${seconds()} s`);
    return done;
  } finally {
    clearInterval(timer);
  }
}
