import type { Json } from '../json.ts';
import type { Leaf } from '../values/json-values.ts';
import type { ToolDefinition } from '../versions/configuration.ts';
import type { NormalisedCall, ToolResult } from './call.ts';
import { effectOf, type ToolEffect } from './tool-effects.ts';
import type { ToolResultRule } from './tool-result-rules.ts';
import { isBusinessAnswer, judgeToolBody } from './tool-results.ts';
import { splitName } from './tool-words.ts';

export interface ToolResultReading {
  turn: number;
  ok: boolean | null;
  /** True when the business refused (nothing free, not found, could not verify): a blocked step, not a fault. */
  refusal: boolean;
}

/** One use of a tool: the call, its result, or both. */
export interface ToolUse {
  name: string;
  /** Words of the tool's name, lower-case. */
  nameWords: readonly string[];
  definition: ToolDefinition | null;
  effect: ToolEffect;
  /** Turn that asked for the tool; null where only a result was recorded. */
  callTurn: number | null;
  /** Turn that holds the result; null where none was recorded. */
  resultTurn: number | null;
  args: Json;
  /** Arguments in a form in which equal arguments are equal strings. */
  argsKey: string;
  body: Json;
  /** Null where nobody can tell, as where no result was recorded: neither success nor failure. */
  ok: boolean | null;
  errorType: string | null;
  httpStatus: number | null;
  /** The business said no. */
  refusal: boolean;
  /** The result is marked as an error and its words are a business's no ("Error: not enough places"): failed by its mark, no fault. */
  denied: boolean;
  /** The no was final: the agent did not try the same tool again before anybody spoke. */
  blocked: boolean;
  message: string | null;
  latencyMs: number | null;
  /** The leaves of `args` and `body`, read when a rule first asks (`use-leaves.ts`). */
  leaves: { args: readonly Leaf[] | null; body: readonly Leaf[] | null };
}

/** What was asked of the tool was done: known, and not turned down. */
export const worked = (use: ToolUse): boolean => use.ok === true && !use.refusal;

/** Pairs calls with results, by id and else by name in order, and judges each result. One pass over the turns. */
export function readToolUses(
  call: Pick<NormalisedCall, 'turns'>,
  tools: readonly ToolDefinition[],
  rules: readonly ToolResultRule[] = [],
): ToolUse[] {
  const uses: ToolUse[] = [];
  const openById = new Map<string, ToolUse>();
  const openByName = new Map<string, ToolUse[]>();
  const open: ToolUse[] = [];
  const names = new Map<string, Pick<ToolUse, 'nameWords' | 'definition' | 'effect'>>();
  const known = (name: string) => {
    let facts = names.get(name);
    if (facts === undefined) {
      const definition = tools.find((tool) => tool.name === name || tool.id === name) ?? null;
      const nameWords = splitName(name);
      facts = { nameWords, definition, effect: effectOf(nameWords, definition) };
      names.set(name, facts);
    }
    return facts;
  };
  for (const turn of call.turns) {
    if (turn.toolCall !== null) {
      const use = blankUse(turn.toolCall.name, known(turn.toolCall.name));
      use.callTurn = turn.index;
      use.args = turn.toolCall.args;
      use.argsKey = stableText(turn.toolCall.args);
      uses.push(use);
      open.push(use);
      if (turn.toolCall.id !== null) openById.set(turn.toolCall.id, use);
      const queue = openByName.get(use.name);
      if (queue === undefined) openByName.set(use.name, [use]);
      else queue.push(use);
    }
    if (turn.toolResult !== null) {
      const { id, name } = turn.toolResult;
      let use = id === null ? undefined : openById.get(id);
      if (use === undefined || use.resultTurn !== null) {
        use = name === null ? takeOpen(open) : takeOpen(openByName.get(name) ?? []);
      }
      if (use === undefined) {
        use = blankUse(name ?? 'unknown tool', known(name ?? 'unknown tool'));
        uses.push(use);
      }
      fillResult(use, turn.index, turn.toolResult, rules);
    }
  }
  for (const [at, use] of uses.entries())
    use.blocked = (use.refusal || use.denied) && !isTriedAgain(call, use, uses[at + 1]);
  return uses;
}

/** What the results of a call say, by their turns. */
export function resultsOf(uses: readonly ToolUse[]): ToolResultReading[] {
  return uses.flatMap((use) =>
    use.resultTurn === null ? [] : [{ turn: use.resultTurn, ok: use.ok, refusal: use.blocked }],
  );
}

/** A no that the agent works around at once, with another call of the same tool and no word between, blocks nothing. */
function isTriedAgain(call: Pick<NormalisedCall, 'turns'>, use: ToolUse, next: ToolUse | undefined): boolean {
  if (next === undefined || next.name !== use.name || next.callTurn === null || use.resultTurn === null) return false;
  const gap = call.turns.slice(use.resultTurn + 1, next.callTurn + 1);
  return gap.length > 0 && gap.length <= GAP_AT_MOST && gap.every((turn) => turn.text === '' || turn.role === 'tool');
}

const GAP_AT_MOST = 20;

/** Takes the oldest use without a result; taken ones are removed, so a queue is walked once. */
function takeOpen(queue: ToolUse[]): ToolUse | undefined {
  let use = queue.shift();
  while (use !== undefined && use.resultTurn !== null) use = queue.shift();
  return use;
}

function fillResult(use: ToolUse, turn: number, result: ToolResult, rules: readonly ToolResultRule[]): void {
  const { name, effect, definition } = use;
  const own = definition?.results ?? [];
  const verdict = judgeToolBody(result.body, { name, effect, rules: own.length === 0 ? rules : [...rules, ...own] });
  // A platform's word that the tool was answered says nothing of the answer; its word that it failed does.
  const stated = result.okSource === 'body' ? null : result.ok;
  use.resultTurn = turn;
  use.body = result.body;
  use.ok = stated === false ? false : (verdict.ok ?? stated);
  use.refusal = use.ok !== false && verdict.refusal;
  use.denied = use.ok === false && verdict.isTaught !== true && isBusinessAnswer(verdict);
  use.errorType = result.okSource === 'missing' ? 'missing' : verdict.errorType;
  use.httpStatus = verdict.httpStatus;
  use.message = verdict.message;
  use.latencyMs = result.latencyMs;
}

function blankUse(name: string, facts: Pick<ToolUse, 'nameWords' | 'definition' | 'effect'>): ToolUse {
  return {
    name,
    ...facts,
    callTurn: null,
    resultTurn: null,
    args: null,
    argsKey: '',
    body: null,
    ok: null,
    errorType: null,
    httpStatus: null,
    refusal: false,
    denied: false,
    blocked: false,
    message: null,
    latencyMs: null,
    leaves: { args: null, body: null },
  };
}

const DEEPEST = 40;

function stableText(value: Json, depth = 0): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (depth > DEEPEST) return '"..."';
  if (Array.isArray(value)) return `[${value.map((item) => stableText(item, depth + 1)).join(',')}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${stableText(value[key] ?? null, depth + 1)}`).join(',')}}`;
}
