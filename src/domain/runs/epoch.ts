import { sha256Hex } from '../digest.ts';
import type { Epoch } from './attempt.ts';

/** Grows whenever code decides criteria or puts verdicts together in another way. */
const SCORER_VERSION = '1';
const NONE = 'none';
const SCRIPT = 'script';
/** Between the names of several models that scored one run: such a run is like no other. */
const AND = ' + ';

export interface Scorers {
  /** Null where the caller is scripted. */
  simulatorModel: string | null;
  /** Null where no judge is configured. */
  judgeModel: string | null;
  /** Everything that the judge is told beside the call and its criteria. */
  judgePrompt: string;
}

export function epochOf({ simulatorModel, judgeModel, judgePrompt }: Scorers): Epoch {
  return {
    simulatorModel: simulatorModel ?? SCRIPT,
    judgeModel: judgeModel ?? NONE,
    judgePromptHash: judgeModel === null ? NONE : `sha256:${sha256Hex(judgePrompt)}`,
    scorerVersion: SCORER_VERSION,
  };
}

/** Of a run without a score. */
export const NOTHING_SCORED: Epoch = epochOf({ simulatorModel: null, judgeModel: null, judgePrompt: '' });

/** The epoch of a run by those of its attempts. Scripted callers beside a simulator's take nothing from it. */
export function epochOfAll(epochs: readonly Epoch[]): Epoch | null {
  if (epochs.length === 0) return null;
  const joined = (name: keyof Epoch) => [...new Set(epochs.map((epoch) => epoch[name]))].sort();
  const simulators = joined('simulatorModel');
  const models = simulators.filter((model) => model !== SCRIPT);
  return {
    simulatorModel: (models.length > 0 ? models : simulators).join(AND),
    judgeModel: joined('judgeModel').join(AND),
    judgePromptHash: joined('judgePromptHash').join(AND),
    scorerVersion: joined('scorerVersion').join(AND),
  };
}

export function isSameEpoch(a: Epoch, b: Epoch): boolean {
  return differencesOf(a, b).length === 0;
}

/** What scored two results differently, in words: "the judge gpt-a there, gpt-b here". Empty where nothing did. */
export function differencesOf(there: Epoch, here: Epoch): string[] {
  const isUnjudged = there.judgeModel === NONE || here.judgeModel === NONE;
  return NAMES.flatMap(([name, words]) => {
    if (there[name] === here[name]) return [];
    if (name !== 'judgePromptHash') return [`${words} ${there[name]} there, ${here[name]} here`];
    return isUnjudged ? [] : [words];
  });
}

const NAMES: readonly [keyof Epoch, string][] = [
  ['simulatorModel', 'simulated caller'],
  ['judgeModel', 'judge'],
  ['judgePromptHash', 'other instructions of the judge'],
  ['scorerVersion', 'scorer version'],
];
