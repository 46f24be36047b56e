import type { Lane } from '../vocabulary.ts';
import type { WatchExpectation } from './watch.ts';

/** In which part of an agent's work something went wrong where it did not hold. */
export function laneOf({ kind }: WatchExpectation): Lane {
  switch (kind) {
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
