/**
 * Exit codes: 0 done (a run passed), 1 done with failures or refused by what is there (a run did not pass), 2 refused by
 * budget or quota, 3 not finished in time, 4 wrong use, no access or no server; 130 ended by Ctrl-C.
 */
export const EXIT = { done: 0, failed: 1, refused: 2, notFinished: 3, unusable: 4, interrupted: 130 } as const;

/** Something that a person can do something about: shown as its sentence, never with a stack. */
export class Problem extends Error {
  override name = 'Problem';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.unusable) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What the server refused, or that none answered. */
export class ServerProblem extends Problem {
  override name = 'ServerProblem';
  /** Null where no server answered. */
  readonly status: number | null;
  /** Of the error's envelope; null where there is none. */
  readonly code: string | null;
  readonly param: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(message: string, exitCode: number, answer: ServerAnswer | null = null) {
    super(message, exitCode);
    this.status = answer?.status ?? null;
    this.code = answer?.code ?? null;
    this.param = answer?.param ?? null;
    this.retryAfterSeconds = answer?.retryAfterSeconds ?? null;
  }

  /** The same request may be answered a little later: nobody is there or heard it, too much was asked, or the server is in trouble. */
  get passes(): boolean {
    return this.status === null || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

export interface ServerAnswer {
  status: number;
  code: string | null;
  param: string | null;
  retryAfterSeconds: number | null;
}
