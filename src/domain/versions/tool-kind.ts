import type { ToolDefinition } from './configuration.ts';

/** Where no more is known of a tool than its name. */
export function toolKindOf(name: string): ToolDefinition['kind'] {
  if (/(^|_)(transfer|forward|hand_?off|escalate)(_|$)/i.test(name)) return 'transfer';
  if (/(^|_)(end|finish)_?call(_|$)|hang_?up/i.test(name)) return 'end_call';
  return 'other';
}
