import type { AnsweredBy } from '../calls/answered.ts';
import { thresholdsOf } from '../signals/catalogue.ts';
import { ivrStuck } from '../signals/detectors/ivr-stuck.ts';
import { voicemailTalkedTo } from '../signals/detectors/voicemail-talked-to.ts';
import { readCall } from '../signals/reading.ts';
import type { Signal } from '../signals/signal.ts';
import { toSignal } from '../signals/to-signal.ts';
import type { CallToRead } from './steps.ts';

/** What code says of a machine that a reader has named, as of one that the lists know. */
export function machineSignals(
  { call, configuration }: Pick<CallToRead, 'call' | 'configuration'>,
  answered: AnsweredBy,
): Signal[] {
  const input = { call, configuration, agentCosts: null };
  const reading = { ...readCall(input), answered };
  return [voicemailTalkedTo, ivrStuck].flatMap(({ entry, detect }) => {
    const found = detect(reading, input, thresholdsOf(entry, {}));
    if (!Array.isArray(found)) return [];
    return found.map((one): Signal => ({ ...toSignal(entry, one, reading), basis: 'model', proof: [] }));
  });
}
