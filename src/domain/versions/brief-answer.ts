import type { Brief } from './brief.ts';

/** What a model answers to a question about a brief. */
export interface BriefAnswer {
  reply: string;
  /** Parts that it would change, whole. */
  changes: Partial<Brief>;
  /** Lines of the agent's own text that it builds on. */
  sources: { line: number; quote: string }[];
}

const QUOTE_AT_LEAST = 8;

/**
 * The answer with what holds of it: citations and rules whose words stand in the line that they name. What the agent's
 * text doesn't say is no rule of it, whoever proposes it.
 * @param lines of the agent's prompt, counted from 1.
 */
export function checkBriefAnswer(lines: readonly { line: number; text: string }[], answer: BriefAnswer): BriefAnswer {
  const textOf = new Map(lines.map(({ line, text }) => [line, text]));
  const stands = (line: number, words: string) => textOf.get(line)?.includes(words.trim()) === true;
  const { rules, ...others } = answer.changes;
  const known = rules?.filter(({ line, text }) => text.trim() !== '' && stands(line, text));
  const keepsRules = known !== undefined && (known.length > 0 || rules?.length === 0);
  return {
    reply: answer.reply.trim(),
    changes: { ...others, ...(keepsRules ? { rules: known } : {}) },
    sources: answer.sources.filter(({ line, quote }) => quote.trim().length >= QUOTE_AT_LEAST && stands(line, quote)),
  };
}
