import type { SoundDecoder, TakeSamples } from './decoder.ts';
import { SoundError } from './sound-error.ts';

/** Frames handed on at a time. */
const FRAMES = 4_096;
const HEADER_AT_MOST = 1024 * 1024;
const EXTENSIBLE = 0xfffe;

interface Format {
  channels: number;
  rate: number;
  /** Bytes of one sample. */
  width: number;
  /** The sample at a byte. */
  read: (view: DataView, at: number) => number;
}

/** PCM of 8 to 32 bits, floating point, mu-law, and A-law. A streamed file whose sizes are zero or unknown goes on to its end. */
export function wavDecoder(take: TakeSamples): SoundDecoder {
  let held: Uint8Array = new Uint8Array(0);
  /** Of a chunk that is skipped. */
  let skip = 0;
  let format: Format | null = null;
  /** Bytes of sound still to come; null before they begin. */
  let left: number | null = null;
  let isBegun = false;
  return {
    push(bytes) {
      held = held.length === 0 ? bytes : joined(held, bytes);
      while (left === null && headerStep());
      if (left === null && held.length > HEADER_AT_MOST) throw new SoundError('The WAV file has no sound in it.');
      if (left !== null && format !== null) giveSamples(format);
    },
    end() {
      if (left === null) throw new SoundError('The WAV file ends before its sound begins.');
    },
  };

  /** @returns whether there may be another one. */
  function headerStep(): boolean {
    if (skip > 0) {
      const skipped = Math.min(skip, held.length);
      held = held.subarray(skipped);
      skip -= skipped;
      if (skip > 0) return false;
    }
    const view = new DataView(held.buffer, held.byteOffset, held.length);
    if (!isBegun) {
      if (held.length < 12) return false;
      isBegun = true;
      held = held.subarray(12);
      return true;
    }
    if (held.length < 8) return false;
    const id = String.fromCharCode(...held.subarray(0, 4));
    const size = view.getUint32(4, true);
    if (id === 'data') {
      if (format === null) throw new SoundError('The WAV file does not say how its sound is coded.');
      left = size === 0 || size >= 0xffffff00 ? Number.POSITIVE_INFINITY : size;
      held = held.subarray(8);
      return false;
    }
    if (id === 'fmt ') {
      if (held.length < 8 + size) return false;
      format = readFormat(new DataView(held.buffer, held.byteOffset + 8, Math.min(size, 64)));
    }
    held = held.subarray(8);
    skip = size + (size % 2);
    return true;
  }

  function giveSamples({ channels, rate, width, read }: Format): void {
    const frameBytes = channels * width;
    let frames = Math.floor(Math.min(held.length, left ?? 0) / frameBytes);
    while (frames > 0) {
      const count = Math.min(frames, FRAMES);
      const view = new DataView(held.buffer, held.byteOffset, count * frameBytes);
      const split = Array.from({ length: channels }, () => new Float32Array(count));
      for (const [channel, samples] of split.entries()) {
        for (let frame = 0, at = channel * width; frame < count; frame += 1, at += frameBytes) {
          samples[frame] = read(view, at);
        }
      }
      take(split, rate);
      held = held.subarray(count * frameBytes);
      left = (left ?? 0) - count * frameBytes;
      frames -= count;
    }
    if ((left ?? 0) < frameBytes) held = new Uint8Array(0);
  }
}

function readFormat(view: DataView): Format {
  if (view.byteLength < 16) throw new SoundError('The WAV file does not say how its sound is coded.');
  const named = view.getUint16(0, true);
  const code = named === EXTENSIBLE && view.byteLength >= 26 ? view.getUint16(24, true) : named;
  const channels = view.getUint16(2, true);
  const rate = view.getUint32(4, true);
  const bits = view.getUint16(14, true);
  const read = READERS[`${code}/${bits}`];
  if (read === undefined) {
    throw new SoundError(
      `The sound of the WAV file is coded as ${code} with ${bits} bits, which is not read. Export it as 16-bit PCM.`,
    );
  }
  if (channels < 1 || rate < 4_000 || rate > 192_000) {
    throw new SoundError(`The WAV file states ${channels} channels at ${rate} Hz, which no recording has.`);
  }
  return { channels, rate, width: bits / 8, read };
}

const READERS: Record<string, Format['read']> = {
  '1/8': (view, at) => (view.getUint8(at) - 128) / 128,
  '1/16': (view, at) => view.getInt16(at, true) / 32_768,
  '1/24': (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608,
  '1/32': (view, at) => view.getInt32(at, true) / 2_147_483_648,
  '3/32': (view, at) => view.getFloat32(at, true),
  '3/64': (view, at) => view.getFloat64(at, true),
  '6/8': (view, at) => A_LAW[view.getUint8(at)] ?? 0,
  '7/8': (view, at) => MU_LAW[view.getUint8(at)] ?? 0,
};

/** ITU-T G.711, table 2a. */
const MU_LAW = Float32Array.from({ length: 256 }, (_, coded) => {
  const value = ~coded & 0xff;
  const magnitude = ((((value & 0x0f) << 3) + 132) << ((value & 0x70) >> 4)) - 132;
  return (value & 0x80 ? -magnitude : magnitude) / 32_768;
});

/** ITU-T G.711, table 1a. */
const A_LAW = Float32Array.from({ length: 256 }, (_, coded) => {
  const value = coded ^ 0x55;
  const segment = (value & 0x70) >> 4;
  const step = ((value & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 256) << (segment - 1);
  return (value & 0x80 ? magnitude : -magnitude) / 32_768;
});

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
