import type { Correction } from '../../acts/act.ts';
import { does } from '../../acts/act.ts';
import { isSaidIn } from '../../acts/replaceable.ts';
import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { firstFrom } from '../../calls/stretch.ts';
import { compare } from '../../values/same-value.ts';
import type { ActValue } from '../../values/value.ts';
import type { Detector } from '../catalogue-entry.ts';
import { CORRECTION_NOT_APPLIED } from '../entries/hearing.ts';
import { insistedNumbers } from '../insisted-numbers.ts';
import { insistedValues } from '../insisted-values.ts';
import { limit, missingPhrases } from '../needs.ts';
import { oncePerTurn } from '../once-per-turn.ts';
import { placeAt, toolPlace } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';
import { usesWith } from '../values-of-use.ts';

/** The caller put a value right, and what follows still has the old one. */
export const correctionNotApplied: Detector = {
  entry: CORRECTION_NOT_APPLIED,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.caller.length === 0) return { reason: 'The caller said nothing on this call.' };
    const corrections = reading.talk.corrections.map((one) => withDates(reading, one));
    const kept = corrections.flatMap((correction) => {
      const until = takenBackAt(reading, correction);
      const inWords = keptInWords(reading, correction, until, limit(thresholds, 'agentTurns'));
      const inTool = keptInTool(reading, correction, until);
      return [...inWords, ...inTool].sort((a, b) => a.turnIndex - b.turnIndex);
    });
    kept.push(...insistedNumbers(reading), ...insistedValues(reading));
    // What is certain stands before what is not.
    kept.sort((a, b) => Number(a.candidate ?? false) - Number(b.candidate ?? false));
    return oncePerTurn(kept).sort((a, b) => a.turnIndex - b.turnIndex);
  },
};

/** "Make it Thursday", of Tuesday the 13th and Thursday the 15th: which day of the month a weekday is, as the agent had offered it. */
function withDates(reading: CallReading, correction: Correction): Correction {
  if (correction.slot !== 'date') return correction;
  const { turn, old, now } = correction;
  return { ...correction, old: dated(reading, turn, old), now: dated(reading, turn, now) };
}

function dated(reading: CallReading, turn: number, value: ActValue): ActValue {
  const [weekday, ...more] = value.forms;
  if (weekday === undefined || more.length > 0 || !weekday.startsWith('weekday-')) return value;
  const end = firstFrom(reading.spoken, turn);
  const said = reading.spoken
    .slice(Math.max(0, end - TURNS_READ), end)
    .flatMap(({ role, values }) => (role === 'agent' ? values : []))
    .findLast(({ slot, forms }) => slot === 'date' && forms.length > 1 && forms.includes(weekday));
  return said === undefined ? value : { ...value, forms: said.forms };
}

/** The turn in which the caller says the old value again, or something else altogether: from then on the correction is over. */
function takenBackAt(reading: CallReading, { turn, old, now }: Correction): number {
  const start = firstFrom(reading.spoken, turn + 1);
  const window = reading.spoken.slice(start, start + TURNS_READ);
  const later = window.find(
    (one) =>
      one.role === 'caller' &&
      one.values.some((value) => !value.denied && compare(value, old) === 'same' && compare(value, now) !== 'same'),
  );
  return later?.index ?? reading.spoken[start + TURNS_READ]?.index ?? Number.MAX_SAFE_INTEGER;
}

/** Further on a value may have come up for other reasons. */
const TURNS_READ = 40;

/** The agent goes on with the old value, and the new one is not in the same turn. */
function keptInWords(reading: CallReading, correction: Correction, until: number, agentTurns: number): Detection[] {
  const { turn, old, now, explicit } = correction;
  const start = reading.spokenAt.get(turn)?.order ?? 0;
  const found: Detection[] = [];
  let seen = 0;
  for (let order = start + 1; order < reading.spoken.length && seen < agentTurns; order += 1) {
    const one = reading.spoken[order];
    if (one === undefined || one.index >= until) break;
    if (one.role !== 'agent') continue;
    seen += 1;
    if (holds(one, now, old)) {
      // Without words of correction the value was perhaps only another wish; once it is taken over all is well.
      if (!explicit) break;
      continue;
    }
    if (!holds(one, old, now)) continue;
    if ((!isFirm(correction.slot) && isNegotiated(one)) || (!explicit && seen > IMPLICIT_WITHIN)) break;
    found.push({
      turnIndex: one.index,
      quote: quoteOf(one, old),
      detail: `The caller put "${old.text}" right to "${now.text}" at turn ${turn}; here the agent goes on with the old value.`,
      place: placeAt(reading, one.index),
      confidence: explicit ? 0.8 : 0.6,
      candidate: !explicit && !isFirm(correction.slot),
    });
  }
  return found;
}

const IMPLICIT_WITHIN = 2;

/** A size, a name, a number of people stands; a day or a time is bargained for. */
function isFirm(slot: string): boolean {
  return FIRM.has(slot) || slot.startsWith('count:');
}

const FIRM = new Set(['size', 'name', 'code', 'spelling', 'email']);

function holds(turn: SpokenTurn, wanted: ActValue, other: ActValue): boolean {
  if (wanted.slot === 'name') return turn.words.includes(wanted.forms[0] ?? '');
  return turn.values.some((value) => isSaidIn(turn, value, wanted) && !isSaidIn(turn, value, other));
}

/** "I only have Thursday": the old value is what there is. */
function isNegotiated(turn: SpokenTurn): boolean {
  return does(turn, 'cannot') && !does(turn, 'reads_back', 'claims_done');
}

function quoteOf(turn: SpokenTurn, old: ActValue): string {
  const value = turn.values.find((one) => isSaidIn(turn, one, old));
  if (value !== undefined) return value.text;
  const at = turn.words.indexOf(old.forms[0] ?? '');
  return at < 0 ? '' : turn.turn.text.slice(turn.starts[at] ?? 0, turn.ends[at] ?? 0);
}

/** A tool is called with the old value. */
function keptInTool(reading: CallReading, correction: Correction, until: number): Detection[] {
  const { turn, old, now, slot } = correction;
  return usesWith(reading, { after: turn, before: until, old, now }).map((use) => ({
    turnIndex: use.callTurn ?? turn,
    quote: '',
    detail: `The caller put "${old.text}" right to "${now.text}" at turn ${turn}; "${use.name}" was still called with the old value.`,
    place: toolPlace(use),
    confidence: 0.8,
    // What is asked with another value may be another question: only what nobody bargains for is certain without a word.
    candidate: slot === 'count' || (!correction.explicit && !isFirm(slot)),
  }));
}
