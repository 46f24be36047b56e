import { callerKindDetector } from '../caller-kind-detector.ts';
import { WRONG_NUMBER } from '../entries/callers.ts';

/** The caller meant to reach somebody else. */
export const wrongNumber = callerKindDetector({
  entry: WRONG_NUMBER,
  list: 'wrong_number',
  detail: 'The caller meant to reach somebody else.',
});
