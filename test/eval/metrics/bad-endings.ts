import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import type { Analysed } from '../analysed.ts';
import { auc, macroF1 } from '../figures.ts';
import { type Line, linesOf, type Metric } from '../line.ts';

const BAD = new Set(['abandoned', 'transferred', 'unresolved']);
const PUBLISHED = 'macro-F1 0.797 on the test split; regression on codes AUC 0.903, trimmed 0.821';

/** M2: are bad endings found, on the logs as they are and with the agent's trailing turns taken off. */
export const badEndingLines: Metric = (set, calls) => [
  ...linesFor(set, '', calls, 0.798),
  ...linesFor(set, ' (trimmed)', calls.map(trimmed), 0.411),
];

function linesFor(set: string, how: string, calls: readonly Analysed[], floor: number): Line[] {
  const rows = calls
    .filter((call) => typeof call.labels['luhf'] === 'boolean')
    .map((call) => {
      const bad = call.labels['luhf'] === true;
      return {
        group: call.group,
        bad,
        score: call.analysis.badEndingScore,
        truth: bad ? 'bad' : 'good',
        answer: BAD.has(call.analysis.outcome ?? 'unknown') ? 'bad' : 'good',
      };
    });
  const { of } = linesOf('M2 bad ending', set);
  return [
    of(`macro-F1${how}`, rows, macroF1, { floor, published: PUBLISHED }),
    of(`AUC of badEndingScore${how}`, rows, auc),
  ];
}

/** Where a log was cut gives much away; without the agent's last turns only what was said before it counts. */
function trimmed(call: Analysed): Analysed {
  const last = call.call.turns.findLastIndex((turn) => turn.role === 'caller');
  const cut = { ...call.call, turns: call.call.turns.slice(0, last + 1) };
  return { ...call, call: cut, analysis: analyseCall({ call: cut, configuration: call.configuration }, {}) };
}
