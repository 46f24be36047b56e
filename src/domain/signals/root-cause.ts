import type { LedgerFinding } from '../calls/ledger/finding.ts';
import type { IssueClass, Outcome } from '../vocabulary.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Signal } from './signal.ts';

const WEIGHT = { critical: 8, high: 4, medium: 2, low: 1 } as const;

/** What kind of mistake a rule of the ledger shows. */
const KINDS: Record<string, { klass: IssueClass; category: string }> = {
  amount_differs: { klass: 'content', category: 'misread_tool_result' },
  part_for_whole: { klass: 'flow', category: 'intent_plan_misalignment' },
  waived_but_charged: { klass: 'content', category: 'misread_tool_result' },
  quoted_differs: { klass: 'content', category: 'misread_tool_result' },
  wrong_record: { klass: 'content', category: 'misread_tool_result' },
  state_differs: { klass: 'content', category: 'misread_tool_result' },
  not_available: { klass: 'content', category: 'misread_tool_result' },
  never_said: { klass: 'content', category: 'invalid_invocation' },
};

/**
 * What best explains why a call ended badly: the earliest place where words and record part, because what follows builds on it;
 * else the heaviest signal by severity and confidence, an established cause counting double, the earliest of equals. Null where
 * the call ended well, where nothing was found but the ending itself, and for what the caller did: behaviour is never a finding.
 */
export function rootCauseOf(
  signals: readonly Signal[],
  outcome: Outcome | null,
  findings: readonly LedgerFinding[],
): CallAnalysis['rootCause'] {
  if (outcome === 'resolved') return null;
  const first = findings.find((finding) => KINDS[finding.rule] !== undefined);
  if (first !== undefined) {
    const kind = KINDS[first.rule];
    return {
      turn: first.turn,
      klass: kind?.klass ?? 'content',
      code: first.code,
      category: kind?.category ?? null,
      party: 'agent',
    };
  }
  return outcome === 'transferred' ? null : heaviestSignal(signals);
}

/** By severity and confidence, an established cause counting double; null where nothing but the ending itself was found. */
export function heaviestSignal(signals: readonly Signal[]): CallAnalysis['rootCause'] {
  let best: Signal | null = null;
  let most = 0;
  for (const signal of signals) {
    if (signal.klass === 'behaviour' || CATALOGUE.get(signal.code)?.ending === true) continue;
    const weight = WEIGHT[signal.severity] * signal.confidence * (signal.cause === null ? 1 : 2);
    if (weight > most) {
      most = weight;
      best = signal;
    }
  }
  if (best === null) return null;
  return {
    turn: best.turnIndex,
    klass: best.klass,
    code: best.code,
    category: best.cause?.category ?? null,
    party: best.cause?.party ?? null,
  };
}
