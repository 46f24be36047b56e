import type { AnswerEnd, AnswerProblemCode } from '../../domain/copilot/copilot.ts';

/** Ends an answer from outside, or because it can't go on. */
export class AnswerEnded extends Error {
  override name = 'AnswerEnded';
  readonly end: AnswerEnd;

  constructor(end: AnswerEnd) {
    super(end.problem?.message ?? end.state);
    this.end = end;
  }
}

export const stopped = () => new AnswerEnded({ state: 'stopped', problem: null });

export const failed = (code: AnswerProblemCode, message: string) =>
  new AnswerEnded({ state: 'failed', problem: { code, message } });
