import type { NormalisedCall } from '../../domain/calls/call.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { numberOf, textOf } from '../lenient.ts';
import { endingOf } from '../otel/livekit.ts';
import { normaliseRecord } from './normalise.ts';

/** LiveKit's session report (`make_session_report`, `makeSessionReport`), told by its fields. */
export const isSessionReport = (payload: JsonObject) =>
  isJsonObject(payload.chat_history) && ('job_id' in payload || 'room_id' in payload);

/** A session report becomes a record: what was said and done, from the first thing that happened on. */
export function normaliseReport(report: JsonObject, nowMs: number): NormalisedCall {
  const history = isJsonObject(report.chat_history) ? report.chat_history : {};
  const items = Array.isArray(history.items) ? history.items.filter(isJsonObject) : [];
  const events = Array.isArray(report.events) ? report.events.filter(isJsonObject) : [];
  const close = events.find(({ type }) => type === 'close');
  const reason = textOf(close?.reason ?? report.close_reason)?.toLowerCase() ?? null;
  const call = normaliseRecord(
    {
      id: report.room_id ?? report.job_id ?? null,
      startedAt: items.reduce<Json>((first, item) => earlier(first, firstClockOf(item)), null),
      endedAt: close?.created_at ?? report.timestamp ?? null,
      items,
      disconnectionReason: reason,
    },
    nowMs,
  );
  return { ...call, ending: endingOf(reason) };
}

const firstClockOf = ({ created_at: madeAt, metrics }: JsonObject): Json =>
  earlier(madeAt ?? null, isJsonObject(metrics) ? (metrics.started_speaking_at ?? null) : null);

function earlier(a: Json, b: Json): Json {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
