import type { Analysed } from '../analysed.ts';
import { f1 } from '../figures.ts';
import { numberOf, rowsOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';

interface Row {
  group: string;
  truth: boolean;
  answer: boolean;
}

/** M10 where people compared what was said with what was written, entity by entity. */
export const hearingLines: Metric = (set, calls) => {
  const rows = calls.flatMap((call) => {
    const wrong = new Map<number, boolean>();
    for (const entity of rowsOf(call.labels['entities'])) {
      const turn = numberOf(entity['turn']);
      if (turn !== null) wrong.set(turn, (wrong.get(turn) ?? false) || entity['correct'] === false);
    }
    const heard = misheardTurns(call);
    return [...wrong].map(([turn, truth]) => ({ group: call.group, truth, answer: heard.has(turn) }));
  });
  return [...linesFor(set, rows, { precision: 0.786, recall: null }), ...quotedLines(set, calls)];
};

/** M10 on identification by voice: the top line of the recogniser against the true postcode or name. */
export const identificationLines: Metric = (set, calls) => {
  const rows = calls.flatMap((call) => {
    const truth = call.labels['truth'];
    const heard = misheardTurns(call);
    return rowsOf(call.labels['asked']).flatMap((asked): Row[] => {
      const turn = numberOf(asked['turn']);
      const item = String(asked['item']);
      if (turn === null || (item !== 'postcode' && item !== 'name')) return [];
      const told = typeof truth === 'object' && truth !== null && !Array.isArray(truth) ? truth[item] : undefined;
      const written = call.call.turns[turn]?.text ?? '';
      return [{ group: call.group, truth: bare(String(told)) !== bare(written), answer: heard.has(turn) }];
    });
  });
  return linesFor(set, rows, { precision: 0.947, recall: 0.776 });
};

/** Spacing, marks and case apart. */
export function bare(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function misheardTurns(call: Analysed): Set<number> {
  return new Set(call.analysis.signals.filter((signal) => signal.lane === 'hearing').map((signal) => signal.turnIndex));
}

function linesFor(set: string, rows: readonly Row[], floor: { precision: number; recall: number | null }) {
  const { of } = linesOf('M10 hearing', set);
  return [
    of('precision a turn', rows, (some) => f1(some).precision, { floor: floor.precision }),
    of('recall a turn', rows, (some) => f1(some).recall, { floor: floor.recall }),
    of('F1 a turn', rows, (some) => f1(some).f1),
  ];
}

/** Entity by entity, where a hearing signal quotes one. */
function quotedLines(set: string, calls: readonly Analysed[]) {
  const rows = calls.flatMap((call) =>
    rowsOf(call.labels['entities']).map((entity) => {
      const written = String(entity['transcribed'] ?? '');
      const answer = call.analysis.signals.some(
        (signal) =>
          signal.lane === 'hearing' &&
          signal.turnIndex === entity['turn'] &&
          signal.quote !== '' &&
          (bare(signal.quote).includes(bare(written)) || bare(written).includes(bare(signal.quote))),
      );
      return { group: call.group, truth: entity['correct'] === false, answer };
    }),
  );
  const { of } = linesOf('M10 hearing', set);
  return [
    of('precision an entity', rows, (some) => f1(some).precision, {
      floor: 0.359,
      published: 'judge with the true text in view: F1 0.945',
    }),
    of('recall an entity', rows, (some) => f1(some).recall),
  ];
}
