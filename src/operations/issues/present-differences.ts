import type { IssueExplanation } from '../../contract/explanation.ts';
import { COMPARED_CALLS } from '../../db/issues/read-differences.ts';
import { type Compared, type Dimension, findDifferences, type ValueCount } from '../../domain/issues/differences.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';

const RULE =
  "Fisher's exact test in both directions over all values together (Benjamini-Hochberg 0.05), and the 95 % interval of the risk ratio excludes 1; at least five calls with the value, without it, that show the issue and that do not. A difference is not a cause.";

export function presentDifferences(given: { all: Compared; counts: ValueCount[] }): IssueExplanation['differences'] {
  const { tests, found } = findDifferences(given.counts, given.all);
  return {
    compared: given.all,
    population: `Of up to ${COMPARED_CALLS} analysed calls before the last one that shows it and as many after, those that reached the same place and on which it could be computed.`,
    tests,
    rule: RULE,
    found: found.map((difference) => ({
      dimension: difference.dimension,
      value: difference.value,
      label: labelOf(difference.dimension, difference.value),
      with: { calls: difference.with.k, of: difference.with.n },
      without: { calls: difference.without.k, of: difference.without.n },
      lift: difference.lift,
      p: difference.p,
      adjustedP: difference.adjustedP,
    })),
  };
}

function labelOf(dimension: Dimension, value: string): string {
  switch (dimension) {
    case 'version':
      return `Version ${value}`;
    case 'intent':
      return `Intent ${value.replaceAll(/[_-]+/g, ' ')}`;
    case 'persona':
      return `Caller ${value.replaceAll(/[_-]+/g, ' ')}`;
    case 'weekday':
      return `On a ${value} (UTC)`;
    case 'hours':
      return `Started at ${value}`;
    case 'direction':
      return `${value} calls`;
    case 'caller':
      return `${value} callers`;
    case 'duration':
      return `Lasted ${value}`;
    case 'signal_before':
      return `"${CATALOGUE.get(value)?.title ?? value}" came before`;
    default:
      return dimension satisfies never;
  }
}
