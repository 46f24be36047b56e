import { usdWords } from '../limits/run-cost.ts';
import { dayInWords } from '../words.ts';

/** What a budget covers of a run. */
export interface Coverage {
  /** Cells. */
  wanted: number;
  fits: number;
  /** What a cell costs at most, in billionths of a US dollar. */
  cellNanoUsd: number;
  leftNanoUsd: number;
  /** Whose budget is the smaller one. */
  of: 'agent' | 'key';
}

const cells = (count: number) => (count === 1 ? '1 cell' : `${count} cells`);
const whose = (of: Coverage['of']) => (of === 'key' ? "The key's budget" : "The agent's test budget");

export function coverageMessage({ wanted, fits, of }: Coverage): string {
  if (fits >= wanted) return `The budget covers all of it: ${cells(wanted)}.`;
  const rest = wanted - fits;
  return `${whose(of)} covers ${fits} of ${cells(wanted)}; the other ${rest === 1 ? 'one is' : `${rest} are`} not run.`;
}

/** Of a run that a person let play whole. */
export function approvedMessage(coverage: Coverage): string {
  const { wanted, cellNanoUsd, leftNanoUsd } = coverage;
  const over = wanted * cellNanoUsd - leftNanoUsd;
  return over <= 0
    ? coverageMessage(coverage)
    : `A person approved all of it: ${cells(wanted)}, up to ${usdWords(over)} over the budget.`;
}

export function uncoveredMessage({ wanted, cellNanoUsd, leftNanoUsd, of }: Coverage): string {
  const needs = wanted === 1 ? usdWords(cellNanoUsd) : `${usdWords(cellNanoUsd)} a cell`;
  return `${whose(of)} has ${usdWords(leftNanoUsd)} left this month, and the run needs up to ${needs}: nothing was played.`;
}

/** @param until ISO 8601 */
export function overBudgetMessage({ wanted, cellNanoUsd, leftNanoUsd }: Coverage, until: string): string {
  const over = wanted * cellNanoUsd - leftNanoUsd;
  return `Waits for a person to approve ${usdWords(over)} over the budget until ${dayInWords(new Date(until))}.`;
}

/** What a run needs of the plan and what that has, without a full stop. */
export function testCallMessage(calls: number, { limit, used }: { limit: number | null; used: number }): string {
  const left = Math.max(0, (limit ?? 0) - used);
  return `The run needs ${calls} simulated ${calls === 1 ? 'call' : 'calls'}, and the plan has ${left} left`;
}

export function noTestCallsMessage(calls: number, plan: { limit: number | null; used: number }): string {
  return `${testCallMessage(calls, plan)}: nothing was played.`;
}

export interface Ended {
  /** What was said of it before, such as what the budget covered. */
  message: string | null;
  completed: number;
  runnable: number;
  reason: string | null;
}

export function cancelledMessage({ completed, runnable, reason }: Ended): string {
  const why = reason === null ? '' : ` (${reason.replace(/[.!]$/, '')})`;
  return completed === 0
    ? `Cancelled by a person${why} before a cell was complete.`
    : `Cancelled by a person${why}: ${completed} of ${cells(runnable)} were complete, the others were not run.`;
}

export function failedMessage({ completed, runnable }: Ended, sentence: string): string {
  const done = completed === 0 ? '' : ` ${completed} of ${cells(runnable)} were complete.`;
  return `${sentence}${done}`;
}
