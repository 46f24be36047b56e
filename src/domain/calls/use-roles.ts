import { CALLBACK_FIELDS, EXTRA, KEEPS, LATER, MESSAGE, RELAY } from '../words/tools/names.ts';
import type { CallBase } from './call-base.ts';
import type { ToolUse } from './tool-uses.ts';
import { argumentLeaves } from './use-leaves.ts';

/**
 * What a tool does for the caller: what they called for, something that goes with it (a text message, a survey, a note), or
 * handing the matter on to somebody who will call.
 */
export type UseRole = 'main' | 'extra' | 'relay';

const REQUEST_TURNS = 2;

/** Roles by the names of tools. What the caller asks for in the beginning is the main thing, whatever its tool is called. */
export function roleOfUse(reading: Pick<CallBase, 'caller' | 'tools'>, use: ToolUse): UseRole {
  const relays = isRelay(use.nameWords) && (!use.nameWords.some((word) => MESSAGE.has(word)) || asksForCall(use));
  // A rate that is looked up is a price.
  const isPrice = (word: string) => word === 'rate' && use.effect === 'read';
  const isExtra = !relays && use.nameWords.some((word) => EXTRA.has(word) && !isPrice(word));
  if (!relays && !isExtra) return 'main';
  if (isAskedFor(reading, use)) return 'main';
  if (relays) return 'relay';
  const others = reading.tools.some((one) => one !== use && one.effect === 'write' && !isSideline(one.nameWords));
  return others || reading.tools.some((one) => one.effect === 'read') ? 'extra' : 'main';
}

/** A message that somebody answers carries the number to call; one without is told and done. */
function asksForCall(use: ToolUse): boolean {
  return argumentLeaves(use).some(
    (leaf) => CALLBACK_FIELDS.test(leaf.name) && leaf.value !== null && leaf.value !== '',
  );
}

function isSideline(words: readonly string[]): boolean {
  return isRelay(words) || words.some((word) => EXTRA.has(word));
}

function isRelay(words: readonly string[]): boolean {
  if (words.some((word) => RELAY.has(word))) return true;
  if (words.some((word) => MESSAGE.has(word))) return words.some((word) => KEEPS.has(word));
  return words.includes('call') && words.some((word) => LATER.has(word) || word === 'back');
}

function isAskedFor(reading: Pick<CallBase, 'caller'>, use: ToolUse): boolean {
  const asked = new Set(reading.caller.slice(0, REQUEST_TURNS).flatMap((turn) => turn.words));
  return use.nameWords.some((word) => (EXTRA.has(word) || MESSAGE.has(word)) && asked.has(word));
}
