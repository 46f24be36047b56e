import { callerKindDetector } from '../caller-kind-detector.ts';
import { TEST_CALL } from '../entries/callers.ts';

/** The agent's own people try it. */
export const testCall = callerKindDetector({
  entry: TEST_CALL,
  list: 'tests_agent',
  detail: 'The caller says that this is a test.',
});
