import { does } from '../../acts/act.ts';
import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { compare } from '../../values/same-value.ts';
import type { ActValue } from '../../values/value.ts';
import { NOT_FOUND_PROSE } from '../../words/tools/results.ts';
import { firstFrom } from '../stretch.ts';
import type { ToolUse } from '../tool-uses.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';

/** A day, time, amount or code of which the agent tells right behind a look-up that found nothing, and that nothing of the call named. */
export function toldOfNothing(record: CallRecord): LedgerFinding[] {
  const { agent, tools } = record.reading;
  return tools.flatMap((use, at) => {
    if (!foundNothing(record, use) || use.resultTurn === null) return [];
    const turn = agent[firstFrom(agent, use.resultTurn + 1)];
    if (turn === undefined || turn.asks || does(turn, ...TELLS_NOTHING)) return [];
    const since = record.lastCallerTurn(turn.index);
    const next = tools[at + 1]?.callTurn ?? Number.MAX_SAFE_INTEGER;
    if (since > use.resultTurn || next <= turn.index) return [];
    if (record.fresh(turn.index).some((one) => !foundNothing(record, one))) return [];
    const told = nobodysValue(record, turn);
    return told === null ? [] : [make(turn, told, use)];
  });
}

const TELLS_NOTHING = [
  'cannot',
  'apologises',
  'holds',
  'hands_over',
  'calls_back',
  'offers',
  'asks_again',
  'asks_value',
  'promises',
] as const;

/** A no that names figures of its own ("the next one is on the 4th") has told something. */
function foundNothing(record: CallRecord, use: ToolUse): boolean {
  if (use.effect !== 'read' || !(use.refusal || use.denied || use.ok === false)) return false;
  if (use.message === null || !NOT_FOUND_PROSE.test(use.message)) return false;
  const asked = new Set(record.args(use).map(({ value }) => value));
  return record.results(use).every(({ value }) => asked.has(value) || !/\d/.test(String(value)));
}

/** What neither the caller, nor the agent before, nor its prompt, nor any tool named. */
function nobodysValue(record: CallRecord, turn: SpokenTurn): ActValue | null {
  const { reading } = record;
  const said = reading.spoken.filter(({ order }) => order < turn.order).flatMap(({ values }) => values);
  const written = [
    reading.configuration?.prompt ?? '',
    ...record
      .before(turn.index)
      .flatMap((use) => [...record.results(use), ...record.args(use)].map(({ value }) => String(value))),
  ].map((text) => text.toLowerCase());
  const isNew = (value: ActValue) =>
    !said.some((other) => compare(other, value) === 'same') &&
    ![value.text.toLowerCase(), ...value.forms].some((form) => written.some((text) => text.includes(form)));
  return turn.values.find((value) => !value.denied && isTold(value) && isNew(value)) ?? null;
}

const isTold = ({ kind, slot }: ActValue) => kind === 'date' || kind === 'time' || kind === 'money' || slot === 'code';

function make(turn: SpokenTurn, told: ActValue, use: ToolUse): LedgerFinding {
  return {
    code: 'result_misreported',
    rule: 'told_of_nothing',
    turn: turn.index,
    quote: told.text,
    detail: `The agent says "${told.text}" after "${use.name}" had found nothing; nothing else of the call holds it.`,
    use,
    confidence: 0.8,
    facts: { rule: 'told_of_nothing' },
  };
}
