/** USD a million tokens. */
export interface TokenPrice {
  input: number;
  output: number;
}

export interface Tokens {
  inputTokens: number;
  outputTokens: number;
}

/** What tokens cost, in billionths of a US dollar, so that sums stay whole. A model without a price costs 0. */
export function costNanoUsd(price: TokenPrice | undefined, { inputTokens, outputTokens }: Tokens): number {
  if (price === undefined) return 0;
  // A price of 1 USD a million tokens is 1,000 billionths a token.
  return Math.round((inputTokens * price.input + outputTokens * price.output) * 1000);
}

/** About the most that a question can take, told before it is asked. */
export function mostTokens(question: { instructions: string; material: string; maxOutputTokens: number }): Tokens {
  const characters = question.instructions.length + question.material.length;
  return { inputTokens: Math.ceil(characters / CHARACTERS_A_TOKEN), outputTokens: question.maxOutputTokens };
}

/** Careful: English has about four, numbers and other scripts fewer. */
const CHARACTERS_A_TOKEN = 2;

export const usdOfNano = (nanoUsd: number): number => nanoUsd / 1e9;
