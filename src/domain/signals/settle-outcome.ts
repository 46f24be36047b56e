import { does } from '../acts/act.ts';
import { says } from '../acts/spoken-turn.ts';
import type { OutcomeReading } from '../calls/outcome.ts';
import { confidenceOf } from '../calls/outcome-confidence.ts';
import { worked } from '../calls/tool-uses.ts';
import { roleOfUse } from '../calls/use-roles.ts';
import type { CallReading } from './reading.ts';
import type { Signal } from './signal.ts';

/** Findings after which the main thing was not got, whatever the talk sounds like, each with the rule that it stands for. */
const RULES: Readonly<Record<string, string>> = {
  claimed_without_tool: 'claim_not_backed',
  claimed_after_failure: 'claim_not_backed',
  correction_not_applied: 'done_otherwise',
  result_misreported: 'told_otherwise',
  fact_contradicts_source: 'told_otherwise',
  opt_out_ignored: 'opt_out_ignored',
};

/** Who believed that it was done left for good: after these the call was not broken off. */
const BELIEVED = new Set(['claim_not_backed']);

/** Codes that can turn the outcome of a call, and that themselves look at no outcome. */
export function decidesOutcome(code: string): boolean {
  return RULES[code] !== undefined;
}

/** The outcome by the talk and its tools, unless a finding shows that the caller did not get the main thing. */
export function settleOutcome(reading: CallReading, signals: readonly Signal[]): OutcomeReading {
  const outcome = reading.outcome();
  const finding = signals.find((one) => turns(reading, RULES[one.code]) && stands(reading, one));
  const rule = RULES[finding?.code ?? ''];
  if (finding === undefined || rule === undefined) return outcome;
  return {
    outcome: 'unresolved',
    confidence: confidenceOf(rule, finding.confidence),
    reason: { rule, turns: [finding.turnIndex], text: finding.detail },
    badEndingScore: Math.max(outcome.badEndingScore, 0.5 + finding.confidence * BADNESS),
  };
}

/** What a finding that is beyond doubt adds to an even chance. */
const BADNESS = 0.25;

function turns(reading: CallReading, rule: string | undefined): boolean {
  const { outcome, reason } = reading.outcome();
  if (rule === undefined) return false;
  if (outcome === 'unresolved' && reason.rule === 'outweighed') return true;
  // What the caller heard last was then that it is done.
  if (outcome === 'unresolved' && reason.rule === 'refused_last' && BELIEVED.has(rule)) return true;
  return outcome === 'resolved' || (outcome === 'abandoned' && BELIEVED.has(rule) && !wasUpset(reading));
}

/** Whoever complains or gives up believes nothing. */
function wasUpset({ caller }: CallReading): boolean {
  return does(caller.at(-1), 'complains', 'gives_up') || says(caller.at(-1), 'exclaims');
}

function stands(reading: CallReading, signal: Signal): boolean {
  return signal.code !== 'claimed_without_tool' || !isDoneAfter(reading, signal);
}

/** What was claimed too early was done in the end. */
function isDoneAfter(reading: CallReading, { turnIndex }: Signal): boolean {
  return reading.tools.some(
    (use) =>
      use.effect === 'write' && worked(use) && (use.resultTurn ?? -1) > turnIndex && roleOfUse(reading, use) === 'main',
  );
}
