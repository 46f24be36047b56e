import { type ChannelLevels, LevelMeter } from '../domain/sound/level-meter.ts';
import type { SoundDecoder } from './decoder.ts';
import { MAGIC_BYTES, openDecoder } from './open-decoder.ts';
import { SoundError } from './sound-error.ts';

const HOURS_AT_MOST = 4;
const CHANNELS_AT_MOST = 2;

/** Reads the levels of a recording while it comes. */
export function levelReader() {
  let meters: LevelMeter[] = [];
  let rateOfAll = 0;
  let samples = 0;
  let begins: Uint8Array = new Uint8Array(0);
  let decoder: SoundDecoder | null = null;

  function take(channels: readonly Float32Array[], rate: number): void {
    if (meters.length === 0) {
      if (channels.length > CHANNELS_AT_MOST) {
        throw new SoundError(`The recording has ${channels.length} channels; one or two are read.`);
      }
      rateOfAll = rate;
      meters = channels.map(() => new LevelMeter(rate));
    }
    if (channels.length !== meters.length || rate !== rateOfAll) {
      throw new SoundError('The recording changes its sampling rate or its channels in the middle.');
    }
    for (const [at, meter] of meters.entries()) meter.push(channels[at] ?? new Float32Array(0));
    samples += channels[0]?.length ?? 0;
    if (samples > HOURS_AT_MOST * 3600 * rateOfAll) {
      throw new SoundError(`The recording is longer than ${HOURS_AT_MOST} hours, which is no call.`);
    }
  }

  return {
    async push(bytes: Uint8Array): Promise<void> {
      if (decoder !== null) return decoder.push(bytes);
      begins = Buffer.concat([begins, bytes]);
      if (begins.length < MAGIC_BYTES) return;
      decoder = await openDecoder(begins, take);
      await decoder.push(begins);
      begins = new Uint8Array(0);
    },
    /** @throws SoundError where there is no sound in it */
    async end(): Promise<ChannelLevels[]> {
      if (decoder === null) {
        decoder = await openDecoder(begins, take);
        await decoder.push(begins);
      }
      await decoder.end();
      if (meters.length === 0) throw new SoundError('The recording has no sound in it.');
      return meters.map((meter) => meter.end());
    },
  };
}
