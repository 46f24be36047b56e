import { callerKindDetector } from '../caller-kind-detector.ts';

/** The caller meant to reach somebody else. */
export const wrongNumber = callerKindDetector({
  code: 'wrong_number',
  title: 'Wrong number',
  list: 'wrong_number',
  isNot: 'A wrong order or account number that the caller speaks of.',
  check: 'Where it happens often, see where the number is printed.',
  detail: 'The caller meant to reach somebody else.',
});
