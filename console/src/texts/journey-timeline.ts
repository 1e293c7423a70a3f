// Words of a person's way through a journey, wherever it is told.
export const t = {
  event: (name: string) => `The event “${name}” came.`,
  otherwise: 'No condition was met, so they went on the other way.',
  timeout: (within: string) => `Nothing happened within ${within}.`,
  arm: (name: string) => `Went to arm ${name}, by chance.`,
  winner: (name: string) => `Went to arm ${name}, which won the test.`,
  narrowWinner: (name: string) => `Went to arm ${name}, which did better in the test, though it may be by chance.`,
  run: 'Entered with a scheduled run.',
};

export const reasons: Record<string, string> = {
  exit: 'The journey led to an exit.',
  exitWhen: 'Met the exit condition.',
  goal: 'Reached the goal.',
  journeyStopped: 'The journey was stopped.',
  erased: 'The contact was erased.',
  error: 'Something went wrong.',
};
