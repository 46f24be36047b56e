import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { normaliseElevenLabs } from '../elevenlabs/normalise.ts';
import { normaliseSpans } from '../otel/normalise.ts';
import { readSpanRecord } from '../otel/record.ts';
import { type RecordReader, UnreadableCall } from '../port.ts';
import { normaliseRetell } from '../retell/normalise.ts';
import { normaliseVapi } from '../vapi/normalise.ts';
import { TURN_LISTS } from './alike.ts';
import { isSessionReport, normaliseReport } from './livekit-report.ts';
import { findRetellExport, normaliseRecord } from './normalise.ts';

/** Reads records that were uploaded or sent: our own shape, a platform's export, or spans, told apart by their fields. */
export function createFileReader(nowMs: () => number = Date.now): RecordReader {
  return {
    platform: 'file',
    normalise(payload) {
      if (!isJsonObject(payload)) throw new UnreadableCall('The record is not a JSON object.');
      const spans = readSpanRecord(payload);
      if (spans !== null) return normaliseSpans(spans, nowMs());
      const exported = findRetellExport(payload);
      if (exported !== null) return normaliseRetell(exported, nowMs());
      if (isVapiExport(payload)) return normaliseVapi(payload, nowMs());
      if (isElevenLabsExport(payload)) return normaliseElevenLabs(payload, nowMs());
      if (isSessionReport(payload)) return normaliseReport(payload, nowMs());
      if (!TURN_LISTS.some((name) => name in payload)) {
        throw new UnreadableCall('The record has neither `turns` nor the fields of a known platform export.');
      }
      return normaliseRecord(payload, nowMs());
    },
  };
}

const isVapiExport = (payload: JsonObject) =>
  'id' in payload &&
  !('turns' in payload) &&
  ('assistantId' in payload || 'squadId' in payload || 'artifact' in payload);

const isElevenLabsExport = (payload: JsonObject) =>
  'conversation_id' in payload && 'agent_id' in payload && Array.isArray(payload.transcript) && 'metadata' in payload;
