import { randomFrom } from './random.ts';

export const RATE = 16_000;

/** Speech as far as levels tell: syllables of noise that rise and fall, in the stretches given. */
export function voice(ms: number, spans: readonly [number, number][], { level = 0.3, seed = 1 } = {}): Float32Array {
  const random = randomFrom(seed);
  const samples = new Float32Array((ms * RATE) / 1000);
  for (const [from, to] of spans) {
    const [first, last] = [(from * RATE) / 1000, (to * RATE) / 1000];
    for (let at = first; at < last && at < samples.length; at += 1) {
      const syllable = 0.6 + 0.4 * Math.sin((2 * Math.PI * 4 * (at - first)) / RATE);
      samples[at] = level * syllable * (random() * 2 - 1);
    }
  }
  return samples;
}

export function withNoise(samples: Float32Array, amplitude: number, seed = 7): Float32Array {
  const random = randomFrom(seed);
  return samples.map((sample) => sample + amplitude * (random() * 2 - 1));
}

/** A WAV file of 16 bits. */
export function wavOf(channels: readonly Float32Array[], rate = RATE): Buffer {
  const frames = channels[0]?.length ?? 0;
  const bytes = frames * channels.length * 2;
  const file = Buffer.alloc(44 + bytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + bytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(channels.length, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * channels.length * 2, 28);
  file.writeUInt16LE(channels.length * 2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes, 40);
  for (let frame = 0, at = 44; frame < frames; frame += 1) {
    for (const channel of channels) {
      file.writeInt16LE(Math.round(Math.max(-1, Math.min(1, channel[frame] ?? 0)) * 32_767), at);
      at += 2;
    }
  }
  return file;
}
