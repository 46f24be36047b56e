import { CATALOGUE } from '../signals/catalogue.ts';
import type { Lane, WatchMeasure } from '../vocabulary.ts';
import type { WatchExpectation } from './watch.ts';

/** In which part of an agent's work something went wrong where it did not hold. */
export function laneOf(expectation: WatchExpectation): Lane {
  const { kind } = expectation;
  switch (kind) {
    case 'signal':
      return CATALOGUE.get(expectation.code)?.lane ?? 'flow';
    case 'measure':
      return SPOKEN.has(expectation.measure) ? 'speaking' : 'flow';
    case 'tool_called':
    case 'tool_called_with':
    case 'tool_called_before':
      return 'integrations';
    case 'says':
    case 'judged':
      return 'speaking';
    case 'asks_for':
    case 'reaches':
    case 'outcome':
    case 'ends_within':
      return 'flow';
    default:
      return kind satisfies never;
  }
}

const SPOKEN: ReadonlySet<WatchMeasure> = new Set<WatchMeasure>([
  'response_s',
  'mean_response_s',
  'silence_s',
  'interruptions',
]);
