import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { NOT_AVAILABLE } from '../../domain/runs/not-available.ts';
import { idOf, textOf } from '../lenient.ts';
import { type ToolMock } from '../simulation.ts';

/**
 * What every tool of the version answers, by the tool's id, since names are ignored there: what the test gives, the
 * narrower first, then one answer for any other call of it.
 */
export function toolMockOverrides(given: readonly ToolMock[], document: JsonObject | null): JsonObject {
  const tools = Array.isArray(document?.tools) ? document.tools.filter(isJsonObject) : [];
  return Object.fromEntries(
    tools.flatMap((tool): [string, Json][] => {
      const id = idOf(tool.id);
      const name = isJsonObject(tool.tool_config) ? textOf(tool.tool_config.name) : null;
      if (id === null || name === null) return [];
      const own = given.filter(({ tool: named }) => named === name);
      const ordered = [...own.filter(({ match }) => match !== null), ...own.filter(({ match }) => match === null)];
      return [[id, [...ordered, { tool: name, match: null, respond: NOT_AVAILABLE }].map(toOverride)]];
    }),
  );
}

function toOverride({ match, respond }: ToolMock): JsonObject {
  return {
    mock_result: JSON.stringify(respond),
    is_error: false,
    parameter_conditions: Object.entries(match ?? {}).map(([path, value]) => ({
      path,
      eval: { type: 'exact', expected_value: typeof value === 'string' ? value : JSON.stringify(value) },
    })),
  };
}
