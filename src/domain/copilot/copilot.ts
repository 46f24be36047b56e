import type { CitationKind, CopilotMessageState } from '../vocabulary.ts';

/** The bounds of one answer, whatever the model wants. */
export const ANSWER_BOUNDS = {
  /** Turns of the model; in the last one it must answer in words. */
  rounds: 12,
  /** Tools that it may call over all rounds. */
  calls: 40,
  cards: 10,
  /** Characters of what one tool answers. */
  resultCharacters: 20_000,
  /** Characters of all that tools answered: what came first is left out. */
  resultsCharacters: 160_000,
  /** Characters of earlier questions and answers. */
  historyCharacters: 40_000,
  outputTokens: 4_000,
  /** Questions to the model for one of its turns. */
  asks: 3,
} as const;

/** Characters of a question. */
export const QUESTION_AT_MOST = 8_000;

/** Something that an answer stands on, and that exists for whoever asked. */
export interface Citation {
  /** Its number in the text, as `[^1]`. */
  number: number;
  kind: CitationKind;
  id: string;
  /** Of a call. */
  turn: number | null;
  label: string;
  /** Of the web app. */
  href: string;
}

/** Something that the model looked up. */
export interface Read {
  tool: string;
  status: number;
}

export interface AnswerEnd {
  state: Exclude<CopilotMessageState, 'answering'>;
  /** Why it failed; null where it did not. */
  problem: AnswerProblem | null;
}

export interface AnswerProblem {
  code: AnswerProblemCode;
  /** A sentence for people. */
  message: string;
}

export const ANSWER_PROBLEM_CODES = ['model_failed', 'budget_exceeded', 'session_ended', 'interrupted'] as const;
export type AnswerProblemCode = (typeof ANSWER_PROBLEM_CODES)[number];

/** A change that the model proposes, and that nothing comes of unless a person confirms it. */
export interface CardInput {
  /** Parameters of the path, the agent's left out. */
  path: Record<string, string>;
  body: Record<string, unknown>;
}
