import { callerKindDetector } from '../caller-kind-detector.ts';
import { SPAM_CALL } from '../entries/callers.ts';

/** Somebody sells something to the agent, or a machine calls. */
export const spamCall = callerKindDetector({
  entry: SPAM_CALL,
  list: 'sells',
  detail: 'The caller offers something, or is a recorded voice.',
});
