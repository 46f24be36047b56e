import { standsWith } from '../../acts/sentences.ts';
import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import type { Leaf } from '../../values/json-values.ts';
import type { ActValue } from '../../values/value.ts';
import { talkWords } from '../../words/talk-words.ts';
import type { ToolUse } from '../tool-uses.ts';
import type { LedgerFinding } from './finding.ts';
import { type CallRecord, isDone } from './record.ts';

const BESIDE_WORDS = talkWords('beside');

const HALF_A_DAY = 720;

/**
 * The one time of a result, or of what was just written, told as another one; and an amount or a day that is a number of the
 * result with one figure changed or two in the wrong order, and that nothing else holds.
 */
export function misreadFigures(record: CallRecord): LedgerFinding[] {
  return record.reading.agent.flatMap((turn) => {
    if (turn.values.length === 0 || turn.asks) return [];
    const uses = record.fresh(turn.index).filter(({ refusal }) => !refusal);
    if (uses.length === 0) return [];
    return otherTime(record, turn, uses) ?? otherFigures(record, turn, uses) ?? [];
  });
}

function otherTime(record: CallRecord, turn: SpokenTurn, uses: readonly ToolUse[]): LedgerFinding | null {
  const [told, ...more] = turn.values.filter((value) => value.slot === 'time' && !value.denied);
  if (told === undefined || more.length > 0) return null;
  // "Check-in closes at ten past": a time that goes with that of the result, and is another.
  if (standsWith(turn, told, BESIDE_WORDS)) return null;
  const inResults = uses.flatMap((use) => record.results(use).flatMap((leaf) => timeOf(use, leaf)));
  const written = uses.filter(isDone).flatMap((use) => record.args(use).flatMap((leaf) => timeOf(use, leaf)));
  const sources = inResults.length > 0 ? inResults : written;
  const [source] = sources;
  if (source === undefined || sources.some(({ minutes }) => minutes % HALF_A_DAY !== source.minutes % HALF_A_DAY))
    return null;
  if (isTime(told, source.minutes) || isSaidBefore(record, turn, told)) return null;
  const known = record
    .before(turn.index)
    .flatMap((use) => [...record.results(use), ...record.args(use)].flatMap((leaf) => timeOf(use, leaf)));
  if (known.some(({ minutes }) => isTime(told, minutes))) return null;
  return make(turn, told, source.use, 'time_differs', source.text);
}

interface Clock {
  use: ToolUse;
  minutes: number;
  text: string;
}

/** Of a stretch of time the start and the end are two: what holds them is not read. */
function timeOf(use: ToolUse, { value }: Leaf): Clock[] {
  const match = typeof value === 'string' ? /^(?:\d{4}-\d{2}-\d{2}[T ])?(\d{2}):(\d{2})(?::\d{2})?$/.exec(value) : null;
  return match === null ? [] : [{ use, minutes: Number(match[1]) * 60 + Number(match[2]), text: match[0] }];
}

/** "Half past two" is an honest way to say 14:31. */
function isTime(told: ActValue, minutes: number): boolean {
  return told.forms.some((form) => {
    const apart = Math.abs(Number(form) - minutes) % HALF_A_DAY;
    return Math.min(apart, HALF_A_DAY - apart) < ROUNDED;
  });
}

const ROUNDED = 5;

function isSaidBefore({ reading }: CallRecord, turn: SpokenTurn, told: ActValue): boolean {
  return reading.spoken.some(
    (one) =>
      one.index < turn.index &&
      one.values.some((value) => value.slot === told.slot && value.forms.some((form) => told.forms.includes(form))),
  );
}

/** "146" for 164.90, "the twenty-fourth" for the fourteenth. */
function otherFigures(record: CallRecord, turn: SpokenTurn, uses: readonly ToolUse[]): LedgerFinding | null {
  for (const told of turn.values) {
    const said = told.denied ? null : figuresOf(told);
    if (said === null || isSaidBefore(record, turn, told)) continue;
    const own = uses.flatMap((use) => record.results(use).flatMap((leaf) => figuresIn(use, leaf, told.kind)));
    const source = own.find(({ figures }) => isMisread(said, figures));
    if (source === undefined) continue;
    const known = record
      .before(turn.index)
      .flatMap((use) =>
        [...record.results(use), ...record.args(use)].flatMap((leaf) => figuresIn(use, leaf, told.kind)),
      );
    if (known.some(({ figures }) => figures === said) || isInPrompt(record, said)) continue;
    return make(turn, told, source.use, 'figures_differ', source.text);
  }
  return null;
}

function figuresOf({ kind, forms }: ActValue): string | null {
  const form = forms.at(-1) ?? '';
  if (kind === 'money') return /^\d{3,}/.exec(form)?.[0] ?? null;
  return kind === 'date' && /^(?:\d{4}-)?\d{2}-\d{2}$/.test(form) ? form.slice(-5) : null;
}

interface Figures {
  use: ToolUse;
  figures: string;
  text: string;
}

function figuresIn(use: ToolUse, { value }: Leaf, kind: ActValue['kind']): Figures[] {
  const text = String(value);
  const match = kind === 'money' ? /^\d{3,}(?=\.|$)/.exec(text) : /(?<=^\d{4}-)\d{2}-\d{2}(?=$|T)/.exec(text);
  return match === null ? [] : [{ use, figures: match[0], text }];
}

/** Two figures next to each other in the wrong order; of a day the month is right and one figure is another. */
function isMisread(said: string, right: string): boolean {
  if (said.length !== right.length || said === right) return false;
  const apart = [...said].flatMap((figure, at) => (figure === right[at] ? [] : [at]));
  const [first = 0, second = 0, ...more] = apart;
  if (apart.length === 1) return said.includes('-') && first >= said.indexOf('-');
  return more.length === 0 && second === first + 1 && said[first] === right[second] && said[second] === right[first];
}

function isInPrompt({ reading }: CallRecord, figures: string): boolean {
  return (reading.configuration?.prompt ?? '').includes(figures);
}

function make(turn: SpokenTurn, told: ActValue, use: ToolUse, rule: string, right: string): LedgerFinding {
  return {
    code: 'result_misreported',
    rule,
    turn: turn.index,
    quote: told.text,
    detail: `The agent says "${told.text}"; the result says ${right}.`,
    use,
    confidence: 0.8,
    facts: { rule },
  };
}
