import type { EntityManager } from '../../db/database.ts';
import { readCallSpan } from '../../db/metrics/read-metrics.ts';
import type { ReadScope } from '../../db/read-scope.ts';
import {
  type ChosenRange,
  chooseRange,
  METRIC_RANGES,
  type MetricRange,
  settledUntil,
} from '../../domain/metrics/range.ts';
import { Failure } from '../failure.ts';
import { choiceParam, timeParam } from '../params.ts';

export const rangeParams = () => ({
  range: choiceParam(
    METRIC_RANGES,
    "Back from the agent's newest call, in whole days (UTC) but for `24h`. Without it 30d, or all calls when the agent has fewer than 14 days of them.",
  ),
  from: timeParam('Calls that started at or after this time; together with `to`, and without `range`.'),
  to: timeParam('Calls that started before this time; together with `from`, and without `range`.'),
});

interface AskedRange {
  range: MetricRange | null;
  from: string | null;
  to: string | null;
}

/** @throws Failure where a custom range is half given, reversed, or given beside a preset. */
export async function readRange(
  em: EntityManager,
  scope: ReadScope,
  asked: AskedRange,
): Promise<ChosenRange & { settledUntil: string }> {
  const { range, from, to } = asked;
  if (range !== null && (from !== null || to !== null)) {
    throw new Failure('invalid_parameter', 'range must not be given together with from and to.', { param: 'range' });
  }
  if ((from === null) !== (to === null)) {
    const missing = from === null ? 'from' : 'to';
    throw new Failure('invalid_parameter', `${missing} is missing: from and to are used together.`, { param: missing });
  }
  if (from !== null && to !== null && from > to) {
    throw new Failure('invalid_parameter', 'from must not be after to.', { param: 'from' });
  }
  const span = await readCallSpan(em, scope);
  return { ...chooseRange(asked, span, span.now), settledUntil: settledUntil(span, span.now) };
}
