// What happens to a person in a journey, wherever it is shown.
export const t = {
  event: (name: string) => `Did “${name}”.`,
  otherwise: 'No condition was met, so they took the other path.',
  timeout: (within: string) => `Timed out after ${within}.`,
  arm: (name: string) => `Assigned to arm ${name} at random.`,
  winner: (name: string) => `Went to arm ${name}, which won the test.`,
  narrowWinner: (name: string) =>
    `Went to arm ${name}, which did better in the test, though the difference may be chance.`,
  run: 'Entered with a scheduled run.',
};

export const reasons: Record<string, string> = {
  exit: 'Reached an exit step.',
  exitWhen: 'Met the exit condition.',
  goal: 'Reached the goal.',
  takenOut: 'Taken out of the journey.',
  journeyStopped: 'The journey was stopped.',
  erased: 'The contact was erased.',
  error: 'Something went wrong.',
};
