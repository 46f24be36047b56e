import type { Json, JsonObject } from '../../src/domain/json.ts';
import { inStoredOrder } from '../../src/domain/json-order.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import { toConfiguration } from '../../src/operations/agents/file-configuration.ts';
import { createFileReader } from '../../src/platforms/file/reader.ts';
import type { Way } from './analysed.ts';
import { mergeRecorded, toRead } from './reading/read-recorded.ts';
import type { ReaderKind } from './reading/reader-kind.ts';
import { recordedReadings } from './reading/recorded.ts';
import { everyFifthWrong } from './reading/wrong-reader.ts';
import type { RecordSet } from './records.ts';

/** After every call of every set: none begins in what is yet to come. */
const LATER = createFileReader(() => Date.UTC(2030, 0, 1));

/**
 * Without a database, for those who try rules: calls make the round trip through the order of jsonb, nothing is grouped.
 * @param reader whether recorded readings are merged in.
 */
export const inMemory = (reader: ReaderKind): Way => ({
  name: `in memory, keys in the order of jsonb; no boards; reader: ${reader}`,
  analyse: async (set) => ({ ...set, calls: withReader(set, reader), board: null }),
  close: async () => {},
});

export const IN_MEMORY = inMemory('none');

function withReader(set: RecordSet, reader: ReaderKind) {
  const calls = memoryCalls(set);
  if (reader === 'none') return calls;
  const readings = recordedReadings(set);
  const answers = reader === 'wrong' ? everyFifthWrong(calls, readings) : readings;
  return calls.flatMap((one) => {
    const answered = answers.get(one.id);
    if (answered === undefined) return [];
    return [{ ...one, analysis: mergeRecorded(toRead(one, one.analysis), answered), rules: one.analysis }];
  });
}

/** The calls of a set as the rules read them. @param reader with the clock of whoever imports them. */
export const memoryCalls = (set: RecordSet, reader = LATER) =>
  set.records.map((one) => analyseRecord(set, one, reader));

function analyseRecord(set: RecordSet, one: RecordSet['records'][number], reader: typeof LATER) {
  const { callerNumber, ...told } = reader.normalise(one.record);
  // Stored calls keep no number.
  const call = asStored({ ...told, callerNumber: null });
  // An uploaded configuration is that of version 1 and holds for the later ones.
  const given = call.version >= 1 ? set.configuration : null;
  const configuration = given === null ? null : asStored(toConfiguration(given, set.set));
  return {
    ...one,
    call,
    configuration,
    isCallerKnown: callerNumber !== null,
    analysis: analyseCall({ call, configuration }, {}),
  };
}

function asStored<T extends object>(value: T): T {
  return inStoredOrder(JSON.parse(JSON.stringify(value)) as Json) as JsonObject as T;
}
