import { isWorded } from '../runs/attempt.ts';
import { REPEATS } from '../runs/combine.ts';
import type { TestSpec } from '../tests/spec.ts';
import type { RunKind } from '../vocabulary.ts';
import { costNanoUsd, type TokenPrice, type Tokens } from './model-cost.ts';

const NANO = 1_000_000_000;

export const nanoOfUsd = (usd: number): number => Math.round(usd * NANO);

/** How often a cell is played at most: what is held back for it. */
export function attemptsAtMost({ kind, repeats }: { kind: RunKind; repeats: number | null }): number {
  return kind === 'calibration' || repeats === REPEATS ? REPEATS : 2;
}

/** A question about one turn of a caller, or about one conversation: what it takes, roughly. */
const NO_CACHE = { cachedInputTokens: 0, cacheWriteTokens: 0 };
const TOKENS_OF_A_LINE: Tokens = { ...NO_CACHE, inputTokens: 1_500, outputTokens: 120 };
const TOKENS_OF_A_VERDICT: Tokens = { ...NO_CACHE, inputTokens: 3_000, outputTokens: 250 };

/** The models of simulated calls by name; null: none is configured. */
export interface RunModels {
  simulator: string | null;
  judge: string | null;
  /** By model; one without a price counts 0. */
  prices: Record<string, TokenPrice>;
}

/** A test and who plays it: a persona's id, or `@source`. */
export interface CalledTest {
  spec: TestSpec;
  persona: string;
}

/** Lines of the caller that a model is asked for: those that no script gives, and those that a persona says in its manner. */
function linesOfModel({ spec, persona }: CalledTest): number {
  const { script } = spec.caller;
  if (script === null) return spec.maxTurns;
  return isWorded(persona, spec) ? script.length + 1 : 0;
}

/**
 * About what the models of one attempt cost, in billionths of a US dollar: a line of the caller for each turn that a model
 * says, a verdict for each criterion that no code decides. Reserved is each question by itself, when it is asked.
 */
export function modelNanoUsd({ spec, persona }: CalledTest, { simulator, judge, prices }: RunModels): number {
  const lines = linesOfModel({ spec, persona });
  const verdicts = spec.criteria.filter(({ check }) => check === null).length;
  const priceOf = (model: string | null) => (model === null ? undefined : prices[model]);
  return (
    lines * costNanoUsd(priceOf(simulator), TOKENS_OF_A_LINE) +
    verdicts * costNanoUsd(priceOf(judge), TOKENS_OF_A_VERDICT)
  );
}

/** Models that these tests ask and that have no price, each once: what they cost is not counted. */
export function unpricedModels(tests: readonly CalledTest[], { simulator, judge, prices }: RunModels): string[] {
  const asked = [
    tests.some((test) => linesOfModel(test) > 0) ? simulator : null,
    tests.some(({ spec }) => spec.criteria.some(({ check }) => check === null)) ? judge : null,
  ];
  return [...new Set(asked.filter((model) => model !== null))].filter((model) => prices[model] === undefined);
}

/** `0.84 USD`: cents, and more digits only for less than one. */
export function usdWords(nanoUsd: number): string {
  const usd = nanoUsd / NANO;
  const digits = usd === 0 || usd >= 0.01 ? 2 : 6;
  return `${usd.toFixed(digits).replace(/(\.\d\d\d{0,4}?)0+$/, '$1')} USD`;
}

/** How many cells of one price an amount covers. Null: without a limit. */
export function coveredCells(availableNanoUsd: number | null, cellNanoUsd: number, cells: number): number {
  if (availableNanoUsd === null || cellNanoUsd === 0) return cells;
  return Math.max(0, Math.min(cells, Math.floor(availableNanoUsd / cellNanoUsd)));
}
