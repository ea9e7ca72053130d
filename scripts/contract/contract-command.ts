/** The output and the exit codes of the contract commands. */

/** The output of a command. */
export interface ContractOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True to show progress; false by default. */
  readonly isTerminal?: boolean;
}

/** Tells the exit code that the command ends with. */
export type Finish = (exitCode: number) => void;

/** The exit codes: nothing found, something found, used wrongly or unreadable. */
export const exitCodes = { clean: 0, faulty: 1, unusable: 2 } as const;
