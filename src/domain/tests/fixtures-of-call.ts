import type { ToolUse } from '../calls/tool-uses.ts';
import type { Json } from '../json.ts';
import type { Fixture } from './spec.ts';
import type { StableArguments } from './stable-values.ts';

const FIXTURES_AT_MOST = 100;
/** Longer and deeper answers could not be sent back with the spec, nor one with a key that bodies of requests refuse. */
const ALL_AT_MOST_CHARS = 100_000;
const DEPTH_AT_MOST = 20;

/**
 * The tools as they answered on the call, in order. A fixture matches by the arguments that come out the same when the
 * call is played again. Where the same question got another answer later, each answer holds once.
 */
export function fixturesOfCall(uses: readonly ToolUse[], stable: StableArguments): Fixture[] {
  const fixtures: Fixture[] = [];
  let chars = 0;
  const answered = uses.filter(
    ({ resultTurn, effect, name }) => resultTurn !== null && effect !== 'transfer' && effect !== 'end' && name !== '',
  );
  for (const use of answered) {
    const fixture: Fixture = { tool: use.name, match: stable(use), respond: use.body, times: null };
    const length = JSON.stringify(fixture).length;
    if (isRepeated(fixture, fixtures) || !canBeSent(fixture.respond, DEPTH_AT_MOST)) continue;
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

function canBeSent(value: Json, depthLeft: number): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (depthLeft === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((part) => canBeSent(part, depthLeft - 1));
}
