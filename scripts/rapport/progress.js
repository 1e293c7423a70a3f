// Lines that tell a person that long work goes on.

const everyMs = 5000;

/** Says every few seconds what `describe` answers, until `stop`. Work that is done sooner says nothing. */
export function sayNowAndThen(say, describe) {
  const timer = setInterval(() => say(describe()), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

export function counted(count, singular) {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : `${singular}s`}`;
}
