import { wilson } from '../statistics.ts';

/** Labels of people on what a model found of one code. */
export interface ModelLabels {
  right: number;
  wrong: number;
}

/** What a code that a model decides must keep, at its lower 95 % bound. */
const PRECISION_KEPT = 0.8;
/** With fewer labels the lower bound lies under 0.8 even if every one of them is right: they can't show it. */
const LABELS_TO_JUDGE = 16;
/** From here on, labels that put even the upper bound under 0.8 are enough: nobody needs sixteen mistakes. */
const LABELS_TO_DOUBT = 5;

/** Why a code goes back to assist, in words; null while it may decide. */
export function whyBackToAssist({ right, wrong }: ModelLabels): string | null {
  const n = right + wrong;
  if (n < LABELS_TO_DOUBT) return null;
  const { lower, upper } = wilson({ k: right, n });
  const found = `People found ${right} of ${n} right`;
  if (upper < PRECISION_KEPT) {
    return `${found}: its precision is at most ${upper.toFixed(2)}, and ${PRECISION_KEPT} is asked for.`;
  }
  if (n < LABELS_TO_JUDGE || lower >= PRECISION_KEPT) return null;
  return `${found}: its precision may be as low as ${lower.toFixed(2)}, and ${PRECISION_KEPT} is asked for.`;
}

/** What labels must show at their lower 95 % bound for findings of a code to need no second look. */
const PRECISION_TRUSTED = 0.9;

/** Whether people found a code right so often that its findings are taken without a second look. */
export function isTrusted({ right, wrong }: ModelLabels): boolean {
  const n = right + wrong;
  return n > 0 && wilson({ k: right, n }).lower >= PRECISION_TRUSTED;
}
