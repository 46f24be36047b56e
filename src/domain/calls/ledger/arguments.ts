import { editDistance } from '../../edit-distance.ts';
import { storedText } from '../../signals/quotes.ts';
import type { ToolUse } from '../tool-uses.ts';
import { codeForm } from '../values/codes.ts';
import type { Leaf } from '../values/json-values.ts';
import { readValues } from '../values/read-values.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';

const CODE_AT_LEAST = 5;
/** A code that differs by so few characters from one that was said is more likely misheard than made up. */
const MISHEARD_AT_MOST = 2;

/** Identifiers that the agent gave to a tool and that nobody said, nothing looked up and nothing configured holds. */
export function unsupportedArguments(record: CallRecord): LedgerFinding[] {
  const { call } = record.reading;
  // On a call that the agent placed it knows from elsewhere whom it calls and why, so that nothing is certain.
  if (call.direction !== 'inbound') return [];
  const sources = new Sources(record);
  const found: LedgerFinding[] = [];
  for (const use of record.reading.tools) {
    if (use.callTurn === null) continue;
    for (const leaf of record.args(use)) {
      if (typeof leaf.value !== 'string') continue;
      const finding = isIdentifier(leaf.value) ? neverSaid(sources, use, leaf) : null;
      if (finding === null) continue;
      found.push(finding);
      break;
    }
  }
  return found;
}

/** One word of letters and digits: a booking code, an order number, an account. Dates, times and amounts are something else. */
function isIdentifier(value: string): boolean {
  if (value.length > 40 || !/^[#A-Za-z0-9_-]+$/.test(value) || !/\d/.test(value)) return false;
  if (/^\d{4}-\d{2}-\d{2}|^\d{1,2}-\d{1,2}|^-?\d+$/.test(value)) return false;
  return codeForm(value).length >= CODE_AT_LEAST && /[A-Za-z]/.test(value);
}

function neverSaid(sources: Sources, use: ToolUse, leaf: Leaf): LedgerFinding | null {
  const value = String(leaf.value);
  const form = codeForm(value);
  const turn = use.callTurn ?? 0;
  if (sources.holds(form, turn) || sources.holdsParts(value, turn)) return null;
  const said = sources.spokenCodes(turn);
  if (isPutTogether(sources, form, said, turn)) return null;
  if (said.some((code) => code.includes(form) || editDistance(code, form, MISHEARD_AT_MOST) <= MISHEARD_AT_MOST))
    return null;
  return {
    code: 'tool_args_unsupported',
    rule: 'never_said',
    turn,
    quote: '',
    detail: `"${use.name}" was given ${leaf.name} "${value}", which nobody said and no result holds.`,
    use,
    confidence: 0.8,
    facts: { rule: 'never_said', argument: leaf.name },
  };
}

/** "Summer eight" is SUMMER8, and "the same, ending one five" the end of a code that was said before. */
function isPutTogether(sources: Sources, form: string, said: readonly string[], turn: number): boolean {
  const isSaid = (part: string) =>
    said.some((code) => code.includes(part)) || (part.length > 2 && sources.holds(part, turn));
  const parts = form.match(/[A-Z]+|\d+/g) ?? [];
  if (parts.length > 1 && parts.every(isSaid)) return true;
  for (let at = PART_AT_LEAST; at <= form.length - 2; at += 1)
    if (isSaid(form.slice(0, at)) && said.some((code) => code.includes(form.slice(at)))) return true;
  return false;
}

const PART_AT_LEAST = 3;

/** Everything that may have given the agent a value, squeezed to letters and digits and searched newest first. */
class Sources {
  readonly #record: CallRecord;
  readonly #squeezed = new Map<object, string>();
  readonly #codes = new Map<number, readonly string[]>();
  #configured: string | null = null;

  constructor(record: CallRecord) {
    this.#record = record;
  }

  holds(form: string, before: number): boolean {
    const { reading } = this.#record;
    const { tools, call } = reading;
    for (let at = tools.length - 1; at >= 0; at -= 1) {
      const use = tools[at];
      if (use?.resultTurn == null || use.resultTurn >= before) continue;
      if (this.#squeeze(use, () => storedText(use.body)).includes(form)) return true;
    }
    for (const turn of call.turns) {
      if (turn.index >= before) break;
      if (turn.text !== '' && this.#squeeze(turn, () => turn.text).includes(form)) return true;
    }
    return this.#configuration().includes(form);
  }

  /** "user_42_main": an identifier made of words and numbers may be put together from what was said. */
  holdsParts(value: string, before: number): boolean {
    const parts = value.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
    return parts.length > 1 && parts.every((part) => this.holds(codeForm(part), before));
  }

  spokenCodes(before: number): string[] {
    const codes: string[] = [];
    for (const turn of this.#record.reading.spoken) {
      if (turn.index >= before) break;
      let known = this.#codes.get(turn.index);
      if (known === undefined) {
        const values = readValues(turn.turn.text).filter((one) => one.kind === 'code' || one.kind === 'number');
        // People pause and think aloud inside a code, so that all of a turn's pieces in a row are one reading more.
        // Values of English are in the text's own; those of another language are in what was understood of the turn.
        const isEnglish = this.#record.reading.language === 'en';
        const read = (isEnglish ? [] : turn.values).filter((one) => ['code', 'number', 'spelling'].includes(one.kind));
        known = [values, read].flatMap((list) => [
          ...list.flatMap((one) => one.forms),
          list.map((one) => one.forms.at(-1) ?? '').join(''),
        ]);
        this.#codes.set(turn.index, known);
      }
      codes.push(...known);
    }
    return codes;
  }

  #configuration(): string {
    const { configuration, call } = this.#record.reading;
    this.#configured ??= codeForm(
      [
        configuration?.prompt ?? '',
        JSON.stringify(configuration?.tools ?? []),
        JSON.stringify(configuration?.variables ?? {}),
        JSON.stringify(call.variables ?? {}),
        (configuration?.nodes ?? []).map((node) => node.text ?? '').join(' '),
        call.callerNumber ?? '',
        call.providerCallId,
        call.startedAt ?? '',
      ].join(' '),
    );
    return this.#configured;
  }

  #squeeze(key: object, text: () => string): string {
    const known = this.#squeezed.get(key);
    if (known !== undefined) return known;
    const squeezed = codeForm(text());
    this.#squeezed.set(key, squeezed);
    return squeezed;
  }
}
