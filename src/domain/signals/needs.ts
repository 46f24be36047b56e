import { missingSide } from '../calls/side-record.ts';
import type { Side } from '../vocabulary.ts';
import type { DataNeed } from './catalogue-entry.ts';
import type { CallReading } from './reading.ts';
import type { NotComputable } from './signal.ts';

/** Why a detector cannot say anything on a call, in words that also tell what would change it; null where it can. */
type Missing = NotComputable | null;

const SIDES_OF: Partial<Record<DataNeed, { sides: readonly Side[]; words: boolean }>> = {
  words_of_the_talk: { sides: ['caller', 'agent'], words: true },
  words_of_the_caller: { sides: ['caller'], words: true },
  words_of_the_agent: { sides: ['agent'], words: true },
  turn_times: { sides: ['caller', 'agent'], words: false },
  times_of_the_agent: { sides: ['agent'], words: false },
};

/** A side that a code reads was not recorded, or words of it are missing: what they would have said is not known. */
export function missingSides(reading: CallReading, needs: readonly DataNeed[]): Missing {
  for (const need of needs) {
    const read = SIDES_OF[need];
    for (const side of read?.sides ?? []) {
      const reason = missingSide(reading.sides, side);
      if (reason !== null && (read?.words || reading.sides[side].state === 'not_recorded')) return { reason };
    }
  }
  return null;
}

export function missingPhrases(reading: CallReading): Missing {
  return reading.phrasesMissing === null ? null : { reason: reading.phrasesMissing };
}

export function missingTimes(reading: CallReading): Missing {
  if (reading.timing !== null) return null;
  return {
    reason:
      reading.call.timing === 'approx'
        ? 'The turns of this call have approximate times only; gaps between them would be made up.'
        : 'The turns of this call have no times.',
  };
}

export function missingTools(reading: CallReading): Missing {
  if (reading.tools.length > 0 || (reading.configuration?.tools.length ?? 0) > 0) return null;
  return { reason: 'The record of this call holds no tool calls, and the tools of the agent are not known.' };
}

/** Where nobody can tell of any result whether the tool worked, no failure among them is known either. */
export function missingVerdicts(reading: CallReading): Missing {
  const missing = missingTools(reading);
  if (missing !== null) return missing;
  const answered = reading.tools.filter(({ resultTurn }) => resultTurn !== null);
  if (answered.length === 0 || answered.some(({ ok }) => ok !== null)) return null;
  return { reason: 'The results of this call say neither success nor failure.' };
}

export function missingNodes(reading: CallReading): Missing {
  if (reading.nodes.length > 0) return null;
  return { reason: 'The record of this call names no steps: the agent has no flow, or the platform does not give it.' };
}

export function missingConfiguration(reading: CallReading): Missing {
  if (reading.configuration !== null) return null;
  return { reason: 'The configuration of the version that this call ran on was not captured.' };
}

export function missingEndReason(reading: CallReading): Missing {
  const { ending, disconnectionReason } = reading.call;
  if (ending.family !== 'unknown' || (disconnectionReason !== 'unknown' && disconnectionReason !== '')) return null;
  return { reason: 'The record does not say how this call ended.' };
}

/** Who ended the call must be known where a finding would blame or clear somebody for it. */
export function missingEnder(reading: CallReading): Missing {
  if (reading.call.ending.endedBy !== 'unknown' || reading.call.ending.family !== 'unknown') return null;
  return { reason: 'The record does not say who ended this call.' };
}

export function missingVoice(reading: CallReading): Missing {
  if (reading.call.channel === 'voice') return null;
  return {
    reason:
      reading.call.channel === 'text'
        ? 'This was a text conversation.'
        : 'The record does not say whether this was a spoken call.',
  };
}

export function missingRecording(reading: CallReading): Missing {
  const { heard } = reading.call;
  if (heard === undefined) return { reason: 'The recording of this call was not measured.' };
  const [unknown] = heard.sides === null && heard.mixed === null ? heard.unknown : [];
  return unknown === undefined ? null : { reason: unknown };
}

export function firstMissing(...needs: Missing[]): Missing {
  return needs.find((need) => need !== null) ?? null;
}

/** A threshold by name; the merge with the catalogue's defaults makes sure that it is there. */
export function limit(thresholds: Record<string, number>, name: string): number {
  const value = thresholds[name];
  if (value === undefined) throw new Error(`The threshold "${name}" has no default in the catalogue.`);
  return value;
}
