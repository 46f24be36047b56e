import { isJsonObject } from '../../domain/json.ts';
import { type RecordReader, UnreadableCall } from '../port.ts';
import { normaliseRetell } from '../retell/normalise.ts';
import { findRetellExport, normaliseRecord } from './normalise.ts';

/** Reads uploaded records: our own shape, or a platform's export, told apart by their fields. */
export function createFileReader(nowMs: () => number = Date.now): RecordReader {
  return {
    platform: 'file',
    normalise(payload) {
      if (!isJsonObject(payload)) throw new UnreadableCall('The record is not a JSON object.');
      const exported = findRetellExport(payload);
      if (exported !== null) return normaliseRetell(exported, nowMs());
      if (!('turns' in payload)) {
        throw new UnreadableCall('The record has neither `turns` nor the fields of a known platform export.');
      }
      return normaliseRecord(payload, nowMs());
    },
  };
}
