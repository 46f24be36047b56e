import type { ToolResult } from '../../domain/calls/call.ts';
import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import type { JsonObject } from '../../domain/json.ts';
import { embeddedJson } from '../../domain/parse-json.ts';
import type { OpenCall } from '../missing-results.ts';
import { milliseconds } from '../turn-parts.ts';

/**
 * The platform's flag says only whether the request was answered: `false` is a failure, `true` still needs a look at
 * the body, which may hold an error.
 */
export function readToolResult(entry: JsonObject, id: string | null, call: OpenCall | null): ToolResult {
  const body = embeddedJson(entry.content);
  const answeredAtMs = milliseconds(entry.time_sec);
  const calledAtMs = call?.atMs ?? null;
  const latencyMs = calledAtMs === null || answeredAtMs === null ? null : answeredAtMs - calledAtMs;
  const common = {
    id,
    name: call?.name ?? null,
    body,
    latencyMs: latencyMs !== null && latencyMs >= 0 ? latencyMs : null,
  };
  if (entry.successful === false) return { ...common, ok: false, okSource: 'flag' };
  const { ok } = judgeToolBody(body);
  if (ok !== null) return { ...common, ok, okSource: 'body' };
  return entry.successful === true
    ? { ...common, ok: true, okSource: 'flag' }
    : { ...common, ok: null, okSource: 'unknown' };
}
