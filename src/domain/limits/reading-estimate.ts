import { costNanoUsd, type TokenPrice, usdOfNano } from './model-cost.ts';
import { nanoOfUsd, usdWords } from './run-cost.ts';

/** What reading one call takes, on average. */
export interface TokensOfACall {
  inputTokens: number;
  /** Of these: what a provider's cache holds from one call to the next. */
  cachedInputTokens: number;
  outputTokens: number;
}

export interface ReadingEstimate extends TokensOfACall {
  calls: number;
  /** Null: the model has no price. */
  usd: number | null;
}

/** Below so many tokens several providers cache nothing of what stays the same, and say nothing. */
export const LEAST_CACHED_TOKENS = 4_096;

/** Text as tokens, roughly: English has about four characters a token. */
export const tokensIn = (text: string): number => Math.ceil(text.length / 4);

/** What a call takes of which nobody was asked yet. @param same what stays the same from call to call, in tokens */
export function expectedOfACall({ same, own, output }: { same: number; own: number; output: number }): TokensOfACall {
  return { inputTokens: same + own, cachedInputTokens: same >= LEAST_CACHED_TOKENS ? same : 0, outputTokens: output };
}

export function estimateReading(calls: number, each: TokensOfACall, price: TokenPrice | undefined): ReadingEstimate {
  const all = {
    inputTokens: Math.round(each.inputTokens * calls),
    cachedInputTokens: Math.round(each.cachedInputTokens * calls),
    outputTokens: Math.round(each.outputTokens * calls),
  };
  const usd = price === undefined ? null : usdOfNano(costNanoUsd(price, { ...all, cacheWriteTokens: 0 }));
  return { calls, ...all, usd };
}

/** `1,000 calls of this agent: about 4.1 M tokens, 1.90 USD at your prices`. */
export function estimateInWords({ calls, inputTokens, outputTokens, usd }: ReadingEstimate): string {
  const tokens = tokensInWords(inputTokens + outputTokens);
  const money = usd === null ? 'no price is set for this model' : `${usdWords(nanoOfUsd(usd))} at your prices`;
  const many = calls === 1 ? '1 call' : `${calls.toLocaleString('en-US')} calls`;
  return `${many} of this agent: about ${tokens} tokens, ${money}`;
}

function tokensInWords(tokens: number): string {
  if (tokens >= 1_000_000) return `${(tokens / 1_000_000).toFixed(1)} M`;
  return tokens >= 1_000 ? `${Math.round(tokens / 1_000).toLocaleString('en-US')} k` : String(tokens);
}
