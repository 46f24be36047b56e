import type { ActValue } from '../../acts/act.ts';
import type { SpokenTurn } from '../spoken-turn.ts';
import type { ToolUse } from '../tool-uses.ts';
import { numberForm } from '../values/value.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';

const USES_READ = 6;
const NAME_AT_LEAST = 4;

/** "You are in place four", where the field `place` of the result says 14: the number beside a field's name is another one. */
export function misreadFields(record: CallRecord): LedgerFinding[] {
  return record.reading.agent.flatMap((turn) => {
    if (turn.asks || turn.values.length === 0) return [];
    const since = record.lastCallerTurn(turn.index);
    const uses = record.before(turn.index, USES_READ).filter(({ resultTurn }) => (resultTurn ?? -1) > since);
    for (const use of uses) {
      const found = misread(record, turn, use);
      if (found !== null) return [found];
    }
    return [];
  });
}

function misread(record: CallRecord, turn: SpokenTurn, use: ToolUse): LedgerFinding | null {
  const numbers = record.results(use).filter(({ value }) => typeof value === 'number');
  const held = new Set(numbers.map(({ value }) => numberForm(Number(value))));
  for (const { name, value } of numbers) {
    if (numbers.some((other) => other.name === name && other.value !== value)) continue;
    const told = turn.values.find((one) => one.kind === 'number' && !one.denied && standsBeside(turn, one, name));
    if (told === undefined || told.forms.some((form) => held.has(form) || isRounded(Number(form), Number(value))))
      continue;
    return {
      code: 'result_misreported',
      rule: 'field_differs',
      turn: turn.index,
      quote: told.text,
      detail: `The agent says "${told.text}" of ${name}; the result says ${value}.`,
      use,
      confidence: 0.8,
      facts: { rule: 'field_differs' },
    };
  }
  return null;
}

/** "Two hundred" for 212. */
function isRounded(told: number, right: number): boolean {
  return told % 10 === 0 && Math.abs(told - right) <= right / 10;
}

/** The word right before or right behind the number is the field's name. */
function standsBeside(turn: SpokenTurn, { from, to }: ActValue, name: string): boolean {
  const field = name.toLowerCase();
  if (field.length < NAME_AT_LEAST) return false;
  return turn.words.some((word, at) => {
    if (word !== field && word !== `${field}s`) return false;
    const [start, end] = [turn.starts[at] ?? 0, turn.ends[at] ?? 0];
    return Math.abs(from - end) <= 1 || Math.abs(start - to) <= 1;
  });
}
