/** USD a million tokens. */
export interface TokenPrice {
  input: number;
  output: number;
  /** Of input that a provider's cache held. */
  cachedInput: number;
  /** Of input that was written into it. */
  cacheWrite: number;
}

export interface Tokens {
  /** All of the input, also what a cache held or took. */
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
}

const CACHED_SHARE = 0.1;
const WRITE_SHARE = { anthropic: 1.25, openai: 1 };

/** A price with what is usual where it doesn't say what caches cost. */
export function wholePrice(
  told: Pick<TokenPrice, 'input' | 'output'> & { [Part in keyof TokenPrice]?: TokenPrice[Part] | undefined },
  protocol: keyof typeof WRITE_SHARE,
): TokenPrice {
  const { input, output, cachedInput = input * CACHED_SHARE, cacheWrite = input * WRITE_SHARE[protocol] } = told;
  return { input, output, cachedInput, cacheWrite };
}

/** Of every part of a price the same share. */
export const partOfPrice = (price: TokenPrice | undefined, share: number): TokenPrice | undefined =>
  price && {
    input: price.input * share,
    output: price.output * share,
    cachedInput: price.cachedInput * share,
    cacheWrite: price.cacheWrite * share,
  };

/** What tokens cost, in billionths of a US dollar, so that sums stay whole. A model without a price costs 0. */
export function costNanoUsd(price: TokenPrice | undefined, tokens: Tokens): number {
  if (price === undefined) return 0;
  const { inputTokens, cachedInputTokens: cached, cacheWriteTokens: written, outputTokens } = tokens;
  // Endpoints that count other than their protocol says must not make a question cheaper than nothing.
  const plain = Math.max(0, inputTokens - cached - written);
  const { input, cachedInput, cacheWrite, output } = price;
  // A price of 1 USD a million tokens is 1,000 billionths a token.
  return Math.round((plain * input + cached * cachedInput + written * cacheWrite + outputTokens * output) * 1000);
}

/** The part of the input that caches held; null where nothing was asked. */
export function cachedShareOf(of: Pick<Tokens, 'inputTokens' | 'cachedInputTokens'>): number | null {
  return of.inputTokens === 0 ? null : Math.min(1, of.cachedInputTokens / of.inputTokens);
}

export interface SizedQuestion {
  instructions: string;
  context?: string | null;
  material: string;
  maxOutputTokens: number;
}

/** About the most that a question can take, told before it is asked: what is the same each time is not in a cache yet. */
export function mostTokens({ instructions, context, material, maxOutputTokens }: SizedQuestion): Tokens {
  const same = Math.ceil((instructions.length + (context?.length ?? 0)) / CHARACTERS_A_TOKEN);
  return {
    inputTokens: same + Math.ceil(material.length / CHARACTERS_A_TOKEN),
    cachedInputTokens: 0,
    cacheWriteTokens: same,
    outputTokens: maxOutputTokens,
  };
}

/** Careful: English has about four, numbers and other scripts fewer. */
const CHARACTERS_A_TOKEN = 2;

export const usdOfNano = (nanoUsd: number): number => nanoUsd / 1e9;
