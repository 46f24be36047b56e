import type { Json, JsonObject } from '../../src/domain/json.ts';
import { inStoredOrder } from '../../src/domain/json-order.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import { toConfiguration } from '../../src/operations/agents/file-configuration.ts';
import { createFileReader } from '../../src/platforms/file/reader.ts';
import type { Way } from './analysed.ts';
import type { RecordSet } from './records.ts';

const reader = createFileReader(() => Date.UTC(2030, 0, 1));

/** Without a database, for those who try rules: calls make the round trip through the order of jsonb, nothing is grouped. */
export const IN_MEMORY: Way = {
  name: 'in memory, keys in the order of jsonb; no boards',
  analyse: async (set) => ({ ...set, calls: set.records.map((one) => analyseRecord(set, one)), board: null }),
  close: async () => {},
};

function analyseRecord(set: RecordSet, one: RecordSet['records'][number]) {
  const call = asStored(reader.normalise(one.record));
  // An uploaded configuration is that of version 1 and holds for the later ones.
  const given = call.version >= 1 ? set.configuration : null;
  const configuration = given === null ? null : asStored(toConfiguration(given, set.set));
  return { ...one, call, configuration, analysis: analyseCall({ call, configuration }, {}) };
}

function asStored<T extends object>(value: T): T {
  return inStoredOrder(JSON.parse(JSON.stringify(value)) as Json) as JsonObject as T;
}
