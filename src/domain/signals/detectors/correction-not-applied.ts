import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import { readLeaves } from '../../calls/values/json-values.ts';
import { readValues } from '../../calls/values/read-values.ts';
import { numberForm, type SpokenValue, sameValue } from '../../calls/values/value.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt, toolPlace } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** The caller put a value right, and what follows still has the old one. */
export const correctionNotApplied: Detector = {
  entry: entry({
    code: 'correction_not_applied',
    title: "Caller's correction not taken over",
    klass: 'content',
    lane: 'understanding',
    severity: 'high',
    thresholds: { agentTurns: 3 },
    needs: ['words_of_the_talk'],
    isNot:
      'A caller who goes back to the first value, a change "from the fourth to the sixth" that names both, or a tool that rightly works on the old record.',
    check: 'Compare the correction with the arguments of {place}: is a value of the talk kept instead of the last one?',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.caller.length === 0) return { reason: 'The caller said nothing on this call.' };
    return reading.caller.flatMap((turn) => {
      if (!says(turn, 'corrects')) return [];
      const correction = readCorrection(reading, turn);
      if (correction === null || isTakenBack(reading, turn, correction.old)) return [];
      return inTools(reading, correction) ?? inWords(reading, correction, limit(thresholds, 'agentTurns')) ?? [];
    });
  },
};

interface Correction {
  turn: SpokenTurn;
  old: SpokenValue;
  oldText: string;
  now: SpokenValue;
  nowText: string;
}

/** "No, it's X" after the agent said Y, or "not Y but X": one value of a kind on each side, and they differ. */
function readCorrection(reading: CallReading, turn: SpokenTurn): Correction | null {
  const { text } = turn.turn;
  const before = reading.spoken[turn.order - 1];
  const said = readValues(text);
  const heard = before?.role === 'agent' ? readValues(before.turn.text) : [];
  for (const kind of ['code', 'date', 'time', 'money', 'number'] as const) {
    const own = said.filter((value) => value.kind === kind);
    const denied = own.filter((value) => /\bnot (?:the |on |at |for )?$/i.test(text.slice(0, value.from)));
    const given = own.filter((value) => !denied.includes(value));
    const [now] = given;
    const olds = denied.length > 0 ? denied : heard.filter((value) => value.kind === kind);
    const [old] = olds;
    if (now === undefined || old === undefined || given.length > 1 || olds.length > 1 || sameValue(now, old)) continue;
    const oldText = (denied.length > 0 ? text : (before?.turn.text ?? '')).slice(old.from, old.to);
    return { turn, old, oldText, now, nowText: text.slice(now.from, now.to) };
  }
  return null;
}

function isTakenBack(reading: CallReading, turn: SpokenTurn, old: SpokenValue): boolean {
  return reading.caller.some(
    (later) => later.order > turn.order && readValues(later.turn.text).some((value) => sameValue(value, old)),
  );
}

/** The first tool that is called with either value decides. */
function inTools(reading: CallReading, { turn, old, oldText, now, nowText }: Correction): Detection[] | null {
  for (const use of reading.tools) {
    if (use.callTurn === null || use.callTurn < turn.index) continue;
    if (holds(use, now)) return [];
    if (!holds(use, old)) continue;
    return [
      {
        turnIndex: turn.index,
        quote: nowText,
        detail: `The caller put "${oldText}" right to "${nowText}"; at turn ${use.callTurn} ${use.name} was still called with the old value.`,
        place: toolPlace(use),
        confidence: 0.8,
        // A small number can stand for anything in another tool's arguments.
        candidate: old.kind === 'number' && oldText.replace(/\D/g, '').length < DIGITS_OF_A_VALUE,
      },
    ];
  }
  return null;
}

const DIGITS_OF_A_VALUE = 4;

function holds(use: ToolUse, wanted: SpokenValue): boolean {
  return readLeaves(use.args).some(({ value }) => {
    if (typeof value === 'number') return sameValue({ kind: 'number', forms: [numberForm(value)] }, wanted);
    return typeof value === 'string' && readValues(value).some((one) => sameValue(one, wanted));
  });
}

/** Where no tool shows what was kept, the agent's next words can only raise a doubt. */
function inWords(
  reading: CallReading,
  { turn, old, oldText, now, nowText }: Correction,
  agentTurns: number,
): Detection[] | null {
  const next = reading.agent.filter((one) => one.order > turn.order).slice(0, agentTurns);
  for (const one of next) {
    const values = readValues(one.turn.text);
    if (values.some((value) => sameValue(value, now))) return null;
    if (!values.some((value) => sameValue(value, old))) continue;
    return [
      {
        turnIndex: turn.index,
        quote: nowText,
        detail: `The caller put "${oldText}" right to "${nowText}"; at turn ${one.index} the agent went on with the old value.`,
        place: placeAt(reading, one.index),
        confidence: 0.6,
        candidate: true,
      },
    ];
  }
  return null;
}
