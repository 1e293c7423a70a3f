/** What a command gets, so that only main.ts looks at the process. */
export interface Call {
  /** As typed after the name of the command. */
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** Returns the exit code. */
export type Run = (call: Call) => Promise<number>;
