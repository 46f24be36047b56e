import { callerKindDetector } from '../caller-kind-detector.ts';

/** The agent's own people try it. */
export const testCall = callerKindDetector({
  code: 'test_call',
  title: 'Test call',
  list: 'tests_agent',
  isNot: 'A caller who asks about a test: a blood test, a driving test, a test drive.',
  check: 'Leave such calls out when rates are read.',
  detail: 'The caller says that this is a test.',
});
