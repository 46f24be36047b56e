import { isJsonObject, type Json } from '../../json.ts';
import { namesOf } from '../../json-order.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { toolPlace } from '../places.ts';
import { quoteResult, quoteTurn } from '../quotes.ts';

/** What models write where they have no value. A word that can be a value of its own ("none" for "no extras") is not here. */
const PLACEHOLDER =
  /^(?:\?+|unknown|n\/a|tbd|tba|todo|null|undefined|nan|placeholder|not (?:provided|given|available|specified|known|yet provided)|to be (?:provided|determined|confirmed)|x{3,}|\.{3,}|<[^<>]{1,60}>|\[[^[\]]{1,60}\]|\{\{?[^{}]{1,60}\}?\})$/i;
const READ_AT_MOST = 80;

/** The agent calls a tool before it has what the tool needs, and sends a stand-in. */
export const toolArgsPlaceholder: Detector = {
  entry: entry({
    code: 'tool_args_placeholder',
    title: 'Tool called with a stand-in for a value',
    klass: 'content',
    lane: 'integrations',
    severity: 'medium',
    needs: ['tool_results'],
    fact: true,
    isNot: 'An optional argument left out, "none" where nothing was wanted, or a real name that looks odd.',
    causes: [
      {
        code: 'called_before_asking',
        label: 'The agent calls the tool before it has asked for what the tool needs',
        category: 'invalid_invocation',
        party: 'agent',
        outside: false,
        recommendation:
          'Tell the agent to ask for every value that {place} needs before it calls, and never to send a stand-in.',
        evidence: (facts) =>
          Array.isArray(facts['names']) && facts['callerSpoke'] === true
            ? `A stand-in was sent for: ${facts['names'].join(', ')}.`
            : null,
      },
    ],
    check: 'See what the agent had been told when it called {place}.',
  }),
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
