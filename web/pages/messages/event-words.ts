import type { MessageEvent } from '../../../src/domain/vocabulary.ts';

/** What happened, as people say it. */
export const EVENT_WORDS: Record<MessageEvent, string> = {
  'issue.opened': 'A problem is new',
  'issue.regressed': 'A problem came back',
  'issue.resolved': 'A problem is over',
  'issue.spiked': 'A problem has far more calls than usual',
  'issue.assigned': 'A problem was given to somebody',
  'issue.commented': 'Somebody wrote about a problem',
  'run.awaiting_approval': 'A run waits for approval',
  'run.refused': 'The budget covers none of a run',
  'watch.failing': 'A watch fails clearly more',
  'watch.recovered': 'A watch holds again',
  'alarm.raised': 'An alarm rings',
  'alarm.continues': 'An alarm gets worse, or goes on',
  'alarm.recovered': 'An alarm is over',
  'import.stuck': 'An import is stuck',
  'version.untested': 'A version went live untested',
};
