import type { ComparisonResource } from '../../contract/comparison.ts';
import type { ComparisonView } from '../../db/comparisons/read-comparisons.ts';

export function presentComparison(view: ComparisonView): ComparisonResource {
  const { conclusion, conclusionLabel, callsBefore, callsAfter, metrics, issueMoves, narrative, rule, isRandomized } =
    view.result;
  return {
    object: 'comparison',
    id: view.id,
    fromVersion: view.fromVersion,
    toVersion: view.toVersion,
    configCaptured: { from: view.fromCaptured, to: view.toCaptured },
    changes: view.changes.map(({ kind, place, detail, before, after }) => ({
      kind,
      location: { kind: place.kind, id: place.id, label: place.label },
      detail,
      before,
      after,
    })),
    result: {
      conclusion,
      conclusionLabel,
      callsBefore,
      callsAfter,
      metrics,
      issueMoves,
      narrative,
      rule,
      isRandomized,
    },
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
  };
}
