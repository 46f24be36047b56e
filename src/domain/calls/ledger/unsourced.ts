import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { valuesOfText } from '../../values/turn-values.ts';
import { type ActValue, numberForm } from '../../values/value.ts';
import { talkWords } from '../../words/talk-words.ts';
import type { ToolUse } from '../tool-uses.ts';
import type { LedgerFinding } from './finding.ts';
import { type CallRecord, isDone } from './record.ts';

const BESIDE_WORDS = talkWords('beside');

const PROMPT_READ = 60_000;
const HALF_A_DAY = 720;
const DAY = 1440;
const ROUNDED = 5;
/** Times so many that two of them may be added or one of them taken. */
const TIMES_AT_MOST = 12;

/**
 * An amount or a time that is told after a result that holds some, and that neither this result nor anything else of the call
 * or of the prompt holds: not even as a sum, a difference or a multiple.
 */
export function unsourcedValues(record: CallRecord): LedgerFinding[] {
  // A prompt that is not known may name prices and times of its own.
  if (record.reading.configuration?.prompt == null) return [];
  const knowledge = new Knowledge(record);
  return record.reading.agent.flatMap((turn) => {
    if (turn.asks || !turn.values.some(isReadOut)) return [];
    const uses = record.fresh(turn.index);
    for (const use of uses) {
      const read = turn.values.filter(isReadOut);
      const news = read.filter((value) => knowledge.isNews(value, turn, use));
      // Beside an amount that is right another one may be a limit or a comparison.
      const told = news.find(
        ({ kind }) => kind !== 'money' || !read.some((one) => one.kind === kind && !news.includes(one)),
      );
      if (told !== undefined) return [make(turn, told, use)];
    }
    return [];
  });
}

function isReadOut(value: ActValue): boolean {
  return !value.denied && kindOf(value) !== null;
}

/** "Sixteen thirty-one" is a time where the result holds times. */
function kindOf({ kind, forms, text }: ActValue): 'money' | 'time' | null {
  if (kind === 'money' || kind === 'time') return kind;
  // "At ten, eleven" are two.
  return kind === 'number' && !text.includes(',') && /^(?:1\d|2[0-3])[0-5]\d$/.test(forms.at(-1) ?? '') ? 'time' : null;
}

/** Everything that the agent may have an amount or a time from. */
class Knowledge {
  readonly #record: CallRecord;
  #prompt: readonly ActValue[] | null = null;

  constructor(record: CallRecord) {
    this.#record = record;
  }

  isNews(told: ActValue, turn: SpokenTurn, use: ToolUse): boolean {
    const kind = kindOf(told);
    if (kind === null || this.#figuresOf(use, kind).length === 0) return false;
    const before = this.#record.before(turn.index).flatMap((one) => this.#figuresOf(one, kind));
    // Of many amounts some sum can always be made.
    if (kind === 'money' && new Set(before).size > AMOUNTS_AT_MOST) return false;
    const said = this.#saidBefore(kind, turn).concat(this.#prompted(kind));
    const known = [...before, ...said];
    return kind === 'time' ? !isTimeOf(told, withSpans(known, this.#spans(turn))) : !isSumOf(told, known);
  }

  /** Minutes that the turn speaks of; where it tells when something closes, those of the prompt as well: "45 minutes before departure". */
  #spans(turn: SpokenTurn): number[] {
    const known = turn.words.some((word) => BESIDE_WORDS.has(word)) ? this.#promptValues() : [];
    return [...turn.values, ...known].flatMap(({ slot, forms }) => {
      const minutes = slot === 'count:minutes' ? Number(forms[0]) : slot === 'count:hours' ? Number(forms[0]) * 60 : 0;
      return minutes > 0 && minutes < HALF_A_DAY ? [minutes] : [];
    });
  }

  #figuresOf(use: ToolUse, kind: ActValue['kind']): number[] {
    const leaves = [...this.#record.results(use), ...(isDone(use) ? this.#record.args(use) : [])];
    return leaves.flatMap(({ value }) => {
      if (typeof value === 'number') return kind === 'money' ? [value] : [];
      return typeof value === 'string' && value.length <= LEAF_AT_MOST ? this.#read(value, kind) : [];
    });
  }

  #read(text: string, kind: ActValue['kind']): number[] {
    const clock = [...text.matchAll(/(?<!\d)(\d{1,2}):(\d{2})(?!\d)/g)];
    if (kind === 'time') return clock.map(([, hour, minute]) => Number(hour) * 60 + Number(minute));
    return figures(valuesOfText(text, this.#record.reading.language ?? 'en'), kind);
  }

  #saidBefore(kind: ActValue['kind'], turn: SpokenTurn): number[] {
    return figures(
      this.#record.reading.spoken.filter(({ order }) => order < turn.order).flatMap(({ values }) => values),
      kind,
    );
  }

  #prompted(kind: ActValue['kind']): number[] {
    return figures(this.#promptValues(), kind);
  }

  #promptValues(): readonly ActValue[] {
    const { configuration, language } = this.#record.reading;
    const text = (configuration?.prompt ?? '').slice(0, PROMPT_READ);
    this.#prompt ??= text
      .split('\n')
      .flatMap((line) => [...valuesOfText(line, 'en'), ...valuesOfText(line, language ?? 'en')]);
    return this.#prompt;
  }
}

const AMOUNTS_AT_MOST = 4;
const LEAF_AT_MOST = 200;

/** Whatever may be read as an amount, or as minutes of the day. */
function figures(values: readonly ActValue[], kind: ActValue['kind']): number[] {
  return values.flatMap((value) => {
    if (value.kind === kind) return value.forms.map(Number);
    if (value.kind !== 'number') return [];
    return value.forms.flatMap((form) => (kind === 'money' ? [Number(form), Number(form) / 100] : hours(Number(form))));
  });
}

/** "At four" and "sixteen thirty". */
function hours(number: number): number[] {
  if (number <= 24) return [number * 60];
  return number % 100 < 60 && number < 2400 ? [Math.trunc(number / 100) * 60 + (number % 100)] : [];
}

/** "Forty-five minutes before departure, so quarter to eleven": times reckoned from those that are known. */
function withSpans(times: readonly number[], spans: readonly number[]): number[] {
  return [...times, ...times.flatMap((time) => spans.flatMap((span) => [time + span, time + DAY - span]))];
}

function isTimeOf(told: ActValue, known: readonly number[]): boolean {
  const said = told.kind === 'time' ? told.forms.map(Number) : hours(Number(told.forms.at(-1)));
  return said.some((one) =>
    known.some((minutes) => {
      const apart = Math.abs(one - minutes) % HALF_A_DAY;
      return Math.min(apart, HALF_A_DAY - apart) < (one % ROUNDED === 0 ? ROUNDED : 1);
    }),
  );
}

function isSumOf(told: ActValue, all: readonly number[]): boolean {
  const known = [...new Set(all.map(Math.abs))].filter((one) => one > 0);
  const sums = new Set(known.map(numberForm));
  for (const one of known) {
    for (let times = 2; times <= TIMES_AT_MOST; times += 1)
      sums.add(numberForm(one * times)).add(numberForm(one / times));
    for (const other of known)
      sums
        .add(numberForm(one + other))
        .add(numberForm(Math.abs(one - other)))
        .add(numberForm(one * other));
  }
  return told.forms.some(
    (form) => sums.has(numberForm(Number(form))) || known.some((one) => isRounded(Number(form), one)),
  );
}

/** "About two hundred" for 199. */
function isRounded(told: number, right: number): boolean {
  return Math.abs(told - right) < 1 || (told % 5 === 0 && Math.abs(told - right) <= right / 50);
}

function make(turn: SpokenTurn, told: ActValue, use: ToolUse): LedgerFinding {
  return {
    code: 'result_misreported',
    rule: 'value_unsourced',
    turn: turn.index,
    quote: told.text,
    detail: `The agent says "${told.text}"; neither the result of "${use.name}" nor anything else of the call holds it.`,
    use,
    confidence: 0.8,
    facts: { rule: 'value_unsourced' },
  };
}
