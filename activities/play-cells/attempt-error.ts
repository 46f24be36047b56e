/** Why a simulated call cannot be played to its end, in a sentence for people: a result of the attempt, no failure of ours. */
export class AttemptError extends Error {
  override name = 'AttemptError';
  /** What was spent on models and is stored with no step. */
  readonly serviceNanoUsd: number;

  constructor(message: string, serviceNanoUsd = 0) {
    super(message);
    this.serviceNanoUsd = serviceNanoUsd;
  }
}
