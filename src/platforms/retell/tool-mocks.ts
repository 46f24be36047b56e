import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { NOT_AVAILABLE } from '../../domain/runs/not-available.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { textOf } from '../lenient.ts';
import { type ToolMock } from '../simulation.ts';

/** Types of tools that reach nothing outside of the conversation: they are left to the platform. */
const WITHIN_THE_CALL = new Set(['end_call', 'extract_dynamic_variable', 'press_digit', 'cancel_transfer']);

/**
 * Everything that a tool of the version may answer: what the test gives, the narrower first, then one answer for any
 * other call of each tool. Without one that fits, Retell would run the tool itself.
 */
export function mocksFor(
  given: readonly ToolMock[],
  configuration: AgentConfiguration,
  document: JsonObject | null,
): Json[] {
  const transfers = new Set(configuration.tools.filter(({ kind }) => kind === 'transfer').map(({ name }) => name));
  const types = toolTypes(document);
  const names = [...new Set([...configuration.tools.map(({ name }) => name), ...types.keys()])];
  const ordered = [...given.filter(({ match }) => match !== null), ...given.filter(({ match }) => match === null)];
  const answered = new Set(given.filter(({ match }) => match === null).map(({ tool }) => tool));
  const others = names.filter((name) => !answered.has(name) && !isWithin(name, configuration, types));
  return [
    ...ordered.map((mock) => toMock(mock, transfers)),
    ...others.map((tool) =>
      toMock({ tool, match: null, respond: transfers.has(tool) ? CONNECTED : NOT_AVAILABLE }, transfers),
    ),
  ];
}

/** A hand-over ends a simulated call, so that there is nothing to make up about it, and nobody is rung. */
const CONNECTED = { status: 'connected', message: 'Nobody was called: this is a test call.' } as const;

function toMock({ tool, match, respond }: ToolMock, transfers: ReadonlySet<string>): JsonObject {
  return {
    tool_name: tool,
    input_match_rule: match === null ? { type: 'any' } : { type: 'partial_match', args: match },
    output: JSON.stringify(respond),
    ...(transfers.has(tool) ? { result: worked(respond) } : {}),
  };
}

function worked(respond: Json): boolean {
  const { ok, refusal } = judgeToolBody(respond);
  return ok !== false && !refusal;
}

function isWithin(name: string, { tools }: AgentConfiguration, types: ReadonlyMap<string, string | null>): boolean {
  const type = types.get(name);
  if (type) return WITHIN_THE_CALL.has(type);
  return tools.some((tool) => tool.name === name && tool.kind === 'end_call');
}

/** Tools by name with their type, wherever the document lists some: of the prompt, a state, a step or a component. */
function toolTypes(document: JsonObject | null): Map<string, string | null> {
  const types = new Map<string, string | null>();
  const walk = (value: Json, isList: boolean, depth: number): void => {
    if (depth > 12) return;
    if (Array.isArray(value)) {
      for (const item of value) {
        const name = isList && isJsonObject(item) ? textOf(item.name) : null;
        if (name !== null && isJsonObject(item)) types.set(name, textOf(item.type));
        walk(item, false, depth + 1);
      }
    } else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) walk(inner, /(^|_)tools$/.test(key), depth + 1);
    }
  };
  walk(document, false, 0);
  return types;
}
