/** Exit codes: 0 done, 1 done with failures or refused, 4 wrong use, no access or no server. */
export const EXIT = { done: 0, failed: 1, unusable: 4 } as const;

/** Something that a person can do something about: shown as its sentence, never with a stack. */
export class Problem extends Error {
  override name = 'Problem';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.unusable) {
    super(message);
    this.exitCode = exitCode;
  }
}
