import { callerKindDetector } from '../caller-kind-detector.ts';

/** Somebody sells something to the agent, or a machine calls. */
export const spamCall = callerKindDetector({
  code: 'spam_call',
  title: 'Sales or robot call',
  list: 'sells',
  isNot: 'A caller who asks about an offer of the business.',
  check: 'Where it happens often, block the numbers at the carrier.',
  detail: 'The caller offers something, or is a recorded voice.',
});
