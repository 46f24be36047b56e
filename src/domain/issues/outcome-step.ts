import { START } from '../signals/end-step.ts';
import type { Place } from '../signals/signal.ts';
import { PLACE_KINDS } from '../vocabulary.ts';
import type { Evidence, GroupedSignal } from './signals-to-issues.ts';

/** The part of a place that decides which it is. */
export type PlaceName = Pick<Place, 'kind' | 'id'>;

/** What a call says about the steps that it went through. */
export interface StepReading {
  /** Where it ended. */
  end: PlaceName;
  /** Steps that it reached, the last one included. */
  reached: PlaceName[];
  /** Codes noticed early enough to have mattered, each once. */
  codes: string[];
}

/** A signal in the last two turns describes the ending and did not lead to it. */
const LAST_TURNS = 2;

export interface StepCall {
  endStep: PlaceName;
  /** All places that the call reached. */
  places: readonly PlaceName[];
  turns: number;
  signals: readonly GroupedSignal[];
}

/** @param mayLead whether a code can lead to a bad ending at all: not those that are one, nor what callers do. */
export function readSteps(call: StepCall, mayLead: (code: string) => boolean): StepReading {
  const early = earlySignals(call, mayLead);
  return { end: call.endStep, reached: stepsReached(call), codes: [...new Set(early.map(({ code }) => code))].sort() };
}

/** The evidence that a call which ended badly gives to the issue of its step. */
export function outcomeEvidence(
  issueId: string,
  call: StepCall & { outcomeConfidence: number },
  mayLead: (code: string) => boolean,
): Evidence {
  const named = earlySignals(call, mayLead).map(({ code, causeCode, place }) =>
    leadKey({ code, causeCode: causeCode ?? '', place }),
  );
  return {
    issueId,
    own: true,
    firstTurn: Math.max(0, call.turns - 1),
    confidenceMilli: Math.round(call.outcomeConfidence * 1000),
    causes: [...new Set(named)].sort(),
    atEnd: true,
  };
}

function earlySignals({ signals, turns }: StepCall, mayLead: (code: string) => boolean): GroupedSignal[] {
  return signals.filter(({ code, turnIndex }) => turnIndex < turns - LAST_TURNS && mayLead(code));
}

/** On agents with steps those; on others the tools and the start, which every call reaches. */
function stepsReached({ endStep, places }: StepCall): PlaceName[] {
  const steps = endStep.kind === 'node' ? places.filter(({ kind }) => kind === 'node') : toolsAndStart(places);
  const distinct = new Map([...steps, endStep].map(({ kind, id }) => [JSON.stringify([kind, id]), { kind, id }]));
  return [...distinct.values()];
}

function toolsAndStart(places: readonly PlaceName[]): PlaceName[] {
  return [START, ...places.filter(({ kind }) => kind === 'tool')];
}

/** What may have led to a bad ending: a code with its cause and place. A cause is empty where none was established. */
export interface Lead {
  code: string;
  causeCode: string;
  place: PlaceName;
}

/** Stands between the parts of a stored lead; in no code, and in a place only as part of its last one. */
const SEPARATOR = '\u001f';

/** As it is counted beside the causes of an issue; the same text is made in SQL (`rebuild-outcomes.ts`). */
export function leadKey({ code, causeCode, place }: Lead): string {
  return [code, causeCode, place.kind, place.id].join(SEPARATOR);
}

export function readLeadKey(key: string): Lead | null {
  const [code, causeCode, placeKind, ...id] = key.split(SEPARATOR);
  const kind = PLACE_KINDS.find((known) => known === placeKind);
  if (code === undefined || causeCode === undefined || kind === undefined) return null;
  return { code, causeCode, place: { kind, id: id.join(SEPARATOR) } };
}
