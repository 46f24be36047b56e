import { isJsonObject } from '../../domain/json.ts';
import { normaliseSpans } from '../otel/normalise.ts';
import { readSpanRecord } from '../otel/record.ts';
import { type RecordReader, UnreadableCall } from '../port.ts';
import { normaliseRetell } from '../retell/normalise.ts';
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
      if (!('turns' in payload)) {
        throw new UnreadableCall('The record has neither `turns` nor the fields of a known platform export.');
      }
      return normaliseRecord(payload, nowMs());
    },
  };
}
