import type { ToolUse } from '../calls/tool-uses.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Fixture } from './spec.ts';

const FIXTURES_AT_MOST = 100;
/** Longer answers, and deeper ones, could not be sent back with the spec. */
const ALL_AT_MOST_CHARS = 100_000;
const DEPTH_AT_MOST = 20;

/**
 * The tools as they answered on the call, in order. A fixture matches by the arguments that are values; a text that the
 * agent put into its own words would not come out the same twice. Where the same question got another answer later, each
 * answer holds once.
 */
export function fixturesOfCall(uses: readonly ToolUse[]): Fixture[] {
  const fixtures: Fixture[] = [];
  let chars = 0;
  const answered = uses.filter(
    ({ resultTurn, effect, name }) => resultTurn !== null && effect !== 'transfer' && effect !== 'end' && name !== '',
  );
  for (const { name, args, body } of answered) {
    const fixture: Fixture = { tool: name, match: valuesOf(args), respond: body, times: null };
    const length = JSON.stringify(fixture).length;
    if (isRepeated(fixture, fixtures) || depthOf(fixture.respond) > DEPTH_AT_MOST) continue;
    if (chars + length > ALL_AT_MOST_CHARS || fixtures.length === FIXTURES_AT_MOST) continue;
    for (const earlier of fixtures) if (asksTheSame(earlier, fixture)) earlier.times ??= 1;
    fixtures.push(fixture);
    chars += length;
  }
  return fixtures;
}

/** The last answer to the same question was this one. */
function isRepeated(fixture: Fixture, before: readonly Fixture[]): boolean {
  const last = before.findLast((earlier) => asksTheSame(earlier, fixture));
  return last !== undefined && JSON.stringify(last.respond) === JSON.stringify(fixture.respond);
}

const asksTheSame = (a: Fixture, b: Fixture) =>
  a.tool === b.tool && JSON.stringify(a.match) === JSON.stringify(b.match);

/** Arguments that come out the same when the same is said again: values of few words. Null where there are none. */
export function valuesOf(args: Json): JsonObject | null {
  if (!isJsonObject(args)) return null;
  const kept = Object.entries(args).filter(([name, value]) => name.length <= 200 && isValue(value));
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

const WORDS_AT_MOST = 5;

function isValue(value: Json): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'string' && value !== '' && value.length <= 60 && value.split(/\s+/).length <= WORDS_AT_MOST;
}

function depthOf(value: Json): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
