import type { Json } from '../domain/json.ts';
import type { ChatAnswer, ChatRequest, ModelAccount } from './port.ts';

/** Of each question that is asked in a batch, what it would cost at once. */
export const BATCH_SHARE = 0.5;

export interface BatchQuestion {
  /** Comes back with the answer: letters, digits, `-` and `_`, 64 at most. */
  id: string;
  request: ChatRequest<unknown>;
}

/** What tells a batch that was handed over from others of the same account. */
export interface BatchMark {
  /** Ours, which the provider keeps with it where its protocol has a place for that. */
  id: string;
  /** It was not handed over before. */
  since: string;
  questions: number;
}

export interface BatchStanding {
  /** `ended`: there is nothing to come. `failed`: nothing was asked. */
  state: 'pending' | 'ended' | 'failed';
  answered: number;
  /** Of a failed one, in a sentence; else null. */
  reason: string | null;
}

/** `answer` null: the provider did not answer that question, and does not charge it. */
export interface BatchResult {
  id: string;
  answer: Json | null;
}

/**
 * Many questions handed over at once, which a provider answers within a day at half the price. Nothing is asked again by
 * itself, and nothing is kept between calls. All of it throws ModelError.
 */
export interface BatchModel {
  readonly model: string;
  readonly account: ModelAccount;
  /** Bytes that a question takes of a batch. */
  sizeOf(question: BatchQuestion): number;
  /** @returns the provider's id of a batch with that mark; null where there is none. */
  find(mark: BatchMark): Promise<string | null>;
  /** @returns the provider's id. */
  send(mark: BatchMark, questions: readonly BatchQuestion[]): Promise<string>;
  look(providerId: string): Promise<BatchStanding>;
  results(providerId: string): AsyncGenerator<BatchResult>;
  /** What of a result answers the question. */
  answerOf<T>(request: ChatRequest<T>, answer: Json): ChatAnswer<T>;
  /** Has the provider forget what it was handed, and its answers. */
  forget(providerId: string): Promise<void>;
}
