import type { CauseRow, Evidence } from '../catalogue-entry.ts';
import { RECOGNISER } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';
import { answeredBetween, isFault, lastAnswerBefore, lastBefore, saidBefore, toolId, unsureOf } from './evidence.ts';
import { theTool } from './variants.ts';

type Row = Omit<CauseRow, 'evidence'>;
type Shows = (detection: Detection, reading: CallReading) => string | Evidence | null;

/** A row whose evidence lies in the call; where the call is not at hand, the cause stays open. */
export function row(given: Row, shows: Shows): CauseRow {
  return {
    ...given,
    evidence: (_facts, detection, reading) => (reading === null ? null : shows(detection, reading)),
  };
}

export const agentsOwn = { party: 'agent', outside: false } as const;
export const thePlatforms = { party: 'platform', outside: false } as const;

const UNSURE: Row = {
  code: 'recogniser_unsure',
  label: 'The recogniser is unsure of what it hears',
  category: 'recognition',
  ...thePlatforms,
  recommendation: 'Give {target} the words that callers use here, or choose another recogniser.',
  target: () => RECOGNISER,
};

/** @param about the turn whose words were badly heard; null where there is none. */
export function recogniserUnsure(about: (detection: Detection, reading: CallReading) => number | null): CauseRow {
  return row(UNSURE, (detection, reading) => {
    const index = about(detection, reading);
    return index === null ? null : unsureOf(reading, index);
  });
}

/** By its own measure: for the code that says that confidence was low. */
export const MEASURED_UNSURE: CauseRow = { ...UNSURE, evidence: (_facts, { detail }) => detail };

/** The last that a tool answered before the turn is a fault: what the caller then says or does follows from it. */
export const FAILING_TOOL: CauseRow = row(
  {
    code: 'failing_tool',
    label: 'A tool has failed just before',
    category: 'system_failure',
    party: 'tool_owner',
    outside: false,
    recommendation: 'Fix {target}, and let the agent say what can be done instead when it fails.',
    target: theTool,
  },
  ({ turnIndex }, reading) => {
    const use = lastAnswerBefore(reading, turnIndex + 1);
    if (!isFault(use)) return null;
    return {
      detail: `The last answer of a tool before this, at turn ${use.resultTurn}, is a failure.`,
      variant: toolId(use),
    };
  },
);

const QUESTION_ALIKE = 0.75;
const TURNS_BACK = 12;

/** The agent asks what it has asked before although it was answered. */
export const ANSWER_NOT_TAKEN: CauseRow = row(
  {
    code: 'answer_not_taken',
    label: 'The agent does not take the answer that it is given',
    category: 'answer_not_recognised',
    ...agentsOwn,
    recommendation: 'Say at {place} which answers count, and what follows when none was understood twice.',
  },
  ({ turnIndex }, reading) => {
    const asked = lastBefore(reading, 'agent', turnIndex + 1);
    const before = asked?.asks ? saidBefore(reading, asked, QUESTION_ALIKE, TURNS_BACK) : null;
    if (!asked || !before?.asks || !answeredBetween(reading, before, asked)) return null;
    return `What the agent asks at turn ${asked.index} it had asked at turn ${before.index}, and the caller had answered.`;
  },
);

/** The business said no, and that was the last that happened. */
export const REFUSED: CauseRow = row(
  {
    code: 'refused_without_way_on',
    label: 'The business says no and nothing else is tried',
    category: 'missing_path',
    ...agentsOwn,
    recommendation: 'Let the agent offer another way when {target} says no.',
    target: theTool,
  },
  ({ turnIndex }, reading) => {
    const use = lastAnswerBefore(reading, turnIndex + 1);
    if (use === null || !use.blocked) return null;
    const said = use.message === null ? '' : `: ${use.message.slice(0, 120)}`;
    return {
      detail: `The last answer of a tool before this says no${said}`.replace(/\.?$/, '.'),
      variant: toolId(use),
    };
  },
);
