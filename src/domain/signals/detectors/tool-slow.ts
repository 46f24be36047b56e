import { says } from '../../acts/spoken-turn.ts';
import { quoteResult } from '../../calls/quotes.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TOOL_SLOW } from '../entries/tools.ts';
import { limit } from '../needs.ts';
import { toolPlace } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The caller waited for a tool. */
export const toolSlow: Detector = {
  entry: TOOL_SLOW,
  detect(reading, _input, thresholds) {
    // A hand-over takes as long as the other side takes to pick up.
    const timed = reading.tools.filter((use) => use.latencyMs !== null && use.effect !== 'transfer');
    if (timed.length === 0) return { reason: 'No tool result of this call has times.' };
    const slowMs = limit(thresholds, 'slowMs');
    const silentMs = limit(thresholds, 'slowWithoutFillerMs');
    return timed.flatMap((use) => {
      // How long a failure took is no fault beside it: a time-out is one thing to fix.
      if (use.ok === false && !use.denied) return [];
      const latencyMs = use.latencyMs ?? 0;
      if (latencyMs <= Math.min(slowMs, silentMs)) return [];
      const filler = hasFiller(reading, use);
      if (latencyMs <= (filler === false ? Math.min(slowMs, silentMs) : slowMs)) return [];
      return [
        {
          turnIndex: use.resultTurn ?? use.callTurn ?? 0,
          quote: use.resultTurn === null ? '' : quoteResult(use),
          detail: `"${use.name}" took ${(latencyMs / 1000).toFixed(1)} s${filler === false ? ', and the agent said nothing before it' : ''}.`,
          place: toolPlace(use),
          confidence: 1,
          facts: { latencyMs, slowMs, filler },
        },
      ];
    });
  },
};

/** Null where nobody can know: another language, and the tool's own setting is not read. */
function hasFiller(reading: CallReading, use: ToolUse): boolean | null {
  if (use.definition?.speaksDuring === true) return true;
  if (reading.phrasesMissing !== null || use.callTurn === null) return null;
  // Words on the turn of the call itself announce it, unless they ask something.
  const announced = reading.spokenAt.get(use.callTurn);
  if (announced?.role === 'agent' && !announced.asks) return true;
  for (let turn = use.callTurn; turn >= Math.max(0, use.callTurn - 2); turn -= 1) {
    const spoken = reading.spokenAt.get(turn);
    if (spoken?.role === 'caller') return false;
    if (spoken !== undefined) return says(spoken, 'filler');
  }
  return false;
}
