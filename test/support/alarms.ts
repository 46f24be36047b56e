import type { AlarmRule } from '../../src/domain/alarms/alarm.ts';

/** An alarm on the share of abandoned calls, at 20 % and 40 %. */
export const abandonedCalls = (rule: Partial<AlarmRule> = {}): AlarmRule => ({
  measure: { kind: 'metric', metric: 'abandoned' },
  filter: null,
  window: '1h',
  leastCalls: 10,
  against: 'limit',
  is: 'above',
  warning: 0.2,
  critical: 0.4,
  noData: 'keep',
  breaches: 1,
  remindAfterMinutes: null,
  ...rule,
});
