import type { Json } from '../../json.ts';
import type { ToolUse } from '../tool-uses.ts';

export type LedgerCode = 'claimed_without_tool' | 'result_misreported' | 'fact_contradicts_source';

/** What the values of a call show when words, arguments and results are laid beside each other. */
export interface LedgerFinding {
  code: LedgerCode;
  /** Name of the rule that decided; the cause table reads it. */
  rule: string;
  turn: number;
  /** An exact substring of the turn, or of the result's stored text. */
  quote: string;
  detail: string;
  /** The tool use at which words and record part; null where no tool was used. */
  use: ToolUse | null;
  /** 0.8 for compared values, 0.6 where words alone tie the value to its thing. */
  confidence: number;
  facts: Record<string, Json>;
}
