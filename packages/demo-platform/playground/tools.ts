import { judgeToolBody } from '../../../src/domain/calls/tool-results.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/domain/json.ts';
import { parseJson } from '../../../src/domain/parse-json.ts';
import { textOf } from '../../../src/platforms/lenient.ts';

/** What stands in for a tool in one completion, in the platform's own words. */
export interface Mock {
  tool: string;
  /** Null: any arguments. */
  args: JsonObject | null;
  output: string;
  /** The platform's flag for tools such as `transfer_call`. */
  result: boolean | null;
}

export interface ToolAnswer {
  state: 'ok' | 'refused' | 'failed';
  body: Json;
  content: string;
}

/** Counts the tools that ran for real, as a demo has no caller to protect but a test may forget a mock. */
export interface LiveTools {
  run(tool: string, args: JsonObject): string;
  counts(): Record<string, number>;
}

export function createLiveTools(): LiveTools {
  const runs = new Map<string, number>();
  return {
    run(tool, args) {
      runs.set(tool, (runs.get(tool) ?? 0) + 1);
      return JSON.stringify({ status: 'done', tool, run: runs.get(tool) ?? 1, ...args });
    },
    counts: () => Object.fromEntries(runs),
  };
}

/** Mocks that can be read, in their order; what is none is left out. */
export function readMocks(value: Json | undefined): Mock[] {
  return (Array.isArray(value) ? value : []).filter(isJsonObject).flatMap((mock) => {
    const tool = textOf(mock.tool_name);
    const rule = isJsonObject(mock.input_match_rule) ? mock.input_match_rule : {};
    if (tool === null) return [];
    const args = rule.type === 'partial_match' && isJsonObject(rule.args) ? rule.args : null;
    const output = textOf(mock.output) ?? JSON.stringify(mock.output ?? null);
    return [{ tool, args, output, result: typeof mock.result === 'boolean' ? mock.result : null }];
  });
}

/** The first mock that fits; a call that none fits runs the tool itself. */
export function answerTool(mocks: readonly Mock[], live: LiveTools, tool: string, args: JsonObject): ToolAnswer {
  const mock = mocks.find((one) => one.tool === tool && (one.args === null || holds(args, one.args)));
  const content = mock?.output ?? live.run(tool, args);
  const body = parseJson(content) ?? content;
  return { state: mock?.result === false ? 'failed' : stateOf(body), body, content };
}

function stateOf(body: Json): ToolAnswer['state'] {
  if (isJsonObject(body) && body.error !== undefined && body.error !== null && body.error !== false) return 'failed';
  const { ok, refusal } = judgeToolBody(body);
  if (ok === false) return 'failed';
  return refusal ? 'refused' : 'ok';
}

function holds(value: Json | undefined, wanted: Json): boolean {
  if (isJsonObject(wanted)) {
    return isJsonObject(value) && Object.entries(wanted).every(([name, inner]) => holds(value[name], inner));
  }
  return JSON.stringify(value) === JSON.stringify(wanted);
}

/** The first text under one of these names, nearest to the top. */
export function findText(body: Json, names: readonly string[]): string | null {
  for (let level: Json[] = [body], depth = 0; level.length > 0 && depth < 5; depth += 1) {
    for (const name of names) {
      for (const value of level) {
        const found = isJsonObject(value) ? value[name] : undefined;
        if (typeof found === 'string' && found !== '') return found;
        if (typeof found === 'number') return String(found);
      }
    }
    level = level.flatMap((value) => (Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []));
  }
  return null;
}

/** The object under one of these names, or the first of a list there. */
export function findObject(body: Json, names: readonly string[]): JsonObject | null {
  if (!isJsonObject(body)) return null;
  for (const name of names) {
    const value = body[name];
    const found = Array.isArray(value) ? value[0] : value;
    if (isJsonObject(found)) return found;
  }
  for (const value of Object.values(body)) {
    const found = isJsonObject(value) ? findObject(value, names) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Times of day anywhere in an answer, as `HH:MM`, in their order. */
export function findTimes(body: Json): string[] {
  const found = [
    ...JSON.stringify(body).matchAll(/(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2})?(?:\s*([ap])\.?m\b)?/gi),
  ].flatMap((match) => {
    const half = match[3]?.toLowerCase();
    const hour = (Number(match[1]) % (half ? 12 : 24)) + (half === 'p' ? 12 : 0);
    return Number(match[2]) < 60 ? [`${String(hour).padStart(2, '0')}:${match[2]}`] : [];
  });
  return [...new Set(found)];
}
