import { quoteResult, quoteTurn } from '../../calls/quotes.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { namesOf } from '../../json-order.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TOOL_ARGS_PLACEHOLDER } from '../entries/tools.ts';
import { toolPlace } from '../places.ts';

/** What models write where they have no value. A word that can be a value of its own ("none" for "no extras") is not here. */
const PLACEHOLDER =
  /^(?:\?+|unknown|n\/a|tbd|tba|todo|null|undefined|nan|placeholder|not (?:provided|given|available|specified|known|yet provided)|to be (?:provided|determined|confirmed)|x{3,}|\.{3,}|<[^<>]{1,60}>|\[[^[\]]{1,60}\]|\{\{?[^{}]{1,60}\}?\})$/i;
const READ_AT_MOST = 80;

/** The agent calls a tool before it has what the tool needs, and sends a stand-in. */
export const toolArgsPlaceholder: Detector = {
  entry: TOOL_ARGS_PLACEHOLDER,
  detect(reading) {
    const called = reading.tools.filter((use) => use.callTurn !== null && isJsonObject(use.args));
    if (called.length === 0) return { reason: 'The record of this call holds no tool call with arguments.' };
    return called.flatMap((use) => {
      const { args } = use;
      const names = isJsonObject(args) ? namesOf(args).filter((name) => isPlaceholder(args[name])) : [];
      if (names.length === 0) return [];
      const spoken = reading.spokenAt.get(use.callTurn ?? -1);
      return [
        {
          turnIndex: use.resultTurn ?? use.callTurn ?? 0,
          quote: use.resultTurn !== null ? quoteResult(use) : spoken === undefined ? '' : quoteTurn(spoken),
          detail: `"${use.name}" was called with a stand-in for ${names.slice(0, 8).join(', ')}.`,
          place: toolPlace(use),
          confidence: 1,
          facts: { names: names.slice(0, 8), callerSpoke: reading.callerSpoke },
        },
      ];
    });
  },
};

function isPlaceholder(value: Json | undefined): boolean {
  return typeof value === 'string' && value.length <= READ_AT_MOST && PLACEHOLDER.test(value.trim());
}
