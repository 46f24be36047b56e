import { does } from '../../acts/act.ts';
import { quoteResult, quoteTurn } from '../../calls/quotes.ts';
import { firstFrom, usesBetween } from '../../calls/stretch.ts';
import { saysNo } from '../../calls/tool-results.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import { argumentLeaves, resultLeaves } from '../../calls/use-leaves.ts';
import { COULD_NOT } from '../../words/wordings.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TOOL_FAILED } from '../entries/tools.ts';
import { missingVerdicts } from '../needs.ts';
import { toolPlace } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';
import { failureFacts } from '../tool-causes.ts';

/** A tool did not do its work. Transfers have a code of their own. */
export const toolFailed: Detector = {
  entry: TOOL_FAILED,
  detect(reading) {
    const missing = missingVerdicts(reading);
    if (missing !== null) return missing;
    const told = reading.tools.flatMap((use) => toldFailed(reading, use));
    const failed = reading.tools
      .filter((use) => use.ok === false && !use.denied && use.effect !== 'transfer')
      .map((use) => {
        const isMissing = use.errorType === 'missing';
        const what = isMissing
          ? 'never answered'
          : `failed${use.httpStatus === null ? '' : ` with status ${use.httpStatus}`}`;
        const message = isMissing ? 'no result came before the call ended' : (use.message ?? 'no message');
        // An error that only says "not found" or "not available" may be a refusal in an error's clothes.
        const businessLike =
          (use.httpStatus === null || use.httpStatus < 500) && use.message !== null && saysNo(use.message);
        return {
          turnIndex: use.resultTurn ?? use.callTurn ?? 0,
          quote: use.resultTurn === null || isMissing ? '' : quoteResult(use),
          detail: `"${use.name}" ${what}: ${message.slice(0, 200)}`,
          place: toolPlace(use),
          confidence: businessLike ? 0.6 : 1,
          facts: failureFacts(use),
        };
      });
    return [...failed, ...told].sort((a, b) => a.turnIndex - b.turnIndex);
  },
};

/** The result shows no error and no success, and the agent's next words are that it could not be done. */
function toldFailed(reading: CallReading, use: ToolUse): Detection[] {
  const { resultTurn } = use;
  if (use.effect !== 'write' || use.ok === false || use.refusal || resultTurn === null) return [];
  const turn = reading.spoken[firstFrom(reading.spoken, resultTurn + 1)];
  if (turn?.role !== 'agent' || !does(turn, 'cannot') || does(turn, 'claims_done')) return [];
  if (usesBetween(reading.tools, resultTurn, turn.index).length > 0 || showsSuccess(use)) return [];
  if (!COULD_NOT.test(turn.turn.text)) return [];
  return [
    {
      turnIndex: turn.index,
      quote: quoteTurn(turn),
      detail: `The agent says after "${use.name}" that it could not be done; the result itself shows neither success nor an error.`,
      place: toolPlace(use),
      confidence: 0.6,
      facts: failureFacts(use),
    },
  ];
}

/** A status, or a number of what was made. */
function showsSuccess(use: ToolUse): boolean {
  const asked = new Set(argumentLeaves(use).map(({ value }) => value));
  return resultLeaves(use).some(
    ({ name, value }) =>
      value === true || (!asked.has(value) && SUCCESS.test(name) && typeof value === 'string' && value !== ''),
  );
}

const SUCCESS = /^(?:status|state|estado|statut|result|outcome|confirmation|reference)$|(?:^|_)id$/i;
