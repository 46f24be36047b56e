import { expect, test } from 'vitest';
import type { ChannelLevels } from '../../src/domain/sound/level-meter.ts';
import { createListener } from '../../src/sound/hear.ts';
import { levelReader } from '../../src/sound/levels-of.ts';
import { SoundError } from '../../src/sound/sound-error.ts';
import { voice, wavOf } from '../support/made-sound.ts';
import { randomFrom } from '../support/random.ts';

const LEFT = voice(3_000, [[500, 1_500]]);
const RIGHT = voice(3_000, [[2_000, 2_800]], { seed: 2 });

async function read(file: Uint8Array, pieceBytes = 4_001): Promise<ChannelLevels[]> {
  const reader = levelReader();
  for (let at = 0; at < file.length; at += pieceBytes) await reader.push(file.subarray(at, at + pieceBytes));
  return reader.end();
}

const reasonOf = (file: Uint8Array): Promise<string> =>
  read(file).then(
    () => 'it was read',
    (error: unknown) => (error instanceof SoundError ? error.message : Promise.reject(error)),
  );

const loudAt = (levels: ChannelLevels | undefined, ms: number) => (levels?.db[ms / 10] ?? -100) > -40;

test('the channels of a WAV file are read apart, in pieces of any length', async () => {
  const file = wavOf([LEFT, RIGHT]);
  for (const bytes of [1_000_000, 4_001, 7]) {
    const [left, right] = await read(file, bytes);
    expect(left?.db).toHaveLength(300);
    expect([loudAt(left, 1_000), loudAt(right, 1_000), loudAt(left, 2_400), loudAt(right, 2_400)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  }
});

test('G.711 is what its tables say, and 8, 24, and 32 bits are the same sound', async () => {
  const bits16 = await read(wavOf([LEFT]));
  const others = [
    coded(7, 8, (sample) => muLaw(sample)),
    coded(6, 8, (sample) => aLaw(sample)),
    coded(1, 24, (sample, file, at) => file.writeIntLE(Math.round(sample * 8_388_607), at, 3)),
    coded(1, 32, (sample, file, at) => file.writeInt32LE(Math.round(sample * 2_147_483_647), at)),
    coded(3, 32, (sample, file, at) => file.writeFloatLE(sample, at)),
  ];
  for (const file of others) {
    const [levels] = await read(file);
    expect(Math.abs((levels?.db[100] ?? 0) - (bits16[0]?.db[100] ?? 0))).toBeLessThan(0.3);
  }
});

test('a streamed file without sizes goes on to its end, and what is after the sound is no sound', async () => {
  const file = wavOf([LEFT]);
  file.writeUInt32LE(0xffffffff, 40);
  expect((await read(file))[0]?.db).toHaveLength(300);
  const followed = Buffer.concat([wavOf([LEFT]), Buffer.from('LIST\u0004\u0000\u0000\u0000abcd')]);
  expect((await read(followed))[0]?.db).toHaveLength(300);
});

test('what can not be read says what to export, and nothing throws anything else', async () => {
  const ftyp = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypM4A '), Buffer.alloc(100)]);
  expect(await reasonOf(ftyp)).toContain('MP4');
  expect(await reasonOf(Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(100)]))).toContain('WebM');
  expect(await reasonOf(Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80]), Buffer.alloc(100)]))).toContain('AAC');
  expect(
    await reasonOf(Buffer.from('{"error": "this recording has expired and is not kept any more, sorry"}')),
  ).toContain('text');
  expect(await reasonOf(Buffer.alloc(0))).toContain('no format');
  expect(await reasonOf(wavOf([LEFT, LEFT, RIGHT]))).toContain('3 channels');
  expect(await reasonOf(wavOf([LEFT]).subarray(0, 40))).toContain('before its sound begins');
  expect(await reasonOf(wavOf([]))).toContain('channels');
});

test('a file that was cut or damaged anywhere is read as far as it goes, or has a reason', async () => {
  const file = wavOf([LEFT, RIGHT]);
  const random = randomFrom(9);
  for (let round = 0; round < 60; round += 1) {
    const damaged = Buffer.from(file.subarray(0, Math.floor(random() * file.length)));
    for (let hit = 0; hit < 3 && damaged.length > 0; hit += 1) {
      damaged[Math.floor(random() * Math.min(64, damaged.length))] = Math.floor(random() * 256);
    }
    expect(await reasonOf(damaged)).not.toBe('');
  }
});

test('a decoder has a process of its own, which hears the next recording after one that it could not', async () => {
  const listener = createListener();
  const pieces = async function* (file: Uint8Array) {
    for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
  };
  try {
    await expect(listener.hear(pieces(Buffer.from('x'.repeat(200))), [])).rejects.toThrow('of no format');
    const first = await listener.hear(pieces(wavOf([LEFT, RIGHT])), []);
    expect(first.heard).toMatchObject({ durationMs: 3_000, channels: 'separate', sides: null });
    expect(first.bands.map((band) => band.length)).toEqual([30, 30]);
    const broken = async function* () {
      yield wavOf([LEFT]).subarray(0, 1_000);
      throw new Error('the line is gone');
    };
    await expect(listener.hear(broken(), [])).rejects.toThrow('the line is gone');
    expect((await listener.hear(pieces(wavOf([LEFT])), [])).heard.channels).toBe('mixed');
  } finally {
    await listener.close();
  }
});

/** @param write gives the byte of a sample, or writes it itself */
function coded(code: number, bits: number, write: (sample: number, file: Buffer, at: number) => number): Buffer {
  const width = bits / 8;
  const header = wavOf([new Float32Array(0)]);
  header.writeUInt16LE(code, 20);
  header.writeUInt16LE(bits, 34);
  header.writeUInt32LE(LEFT.length * width, 40);
  const sound = Buffer.alloc(LEFT.length * width);
  for (const [at, sample] of LEFT.entries()) {
    const value = write(sample, sound, at * width);
    if (width === 1) sound[at] = value;
  }
  return Buffer.concat([header, sound]);
}

function muLaw(sample: number): number {
  const value = Math.min(32_635, Math.abs(Math.round(sample * 32_767))) + 132;
  const exponent = Math.floor(Math.log2(value)) - 7;
  const mantissa = (value >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

function aLaw(sample: number): number {
  const value = Math.min(32_767, Math.abs(Math.round(sample * 32_767)));
  const exponent = value < 256 ? 0 : Math.floor(Math.log2(value)) - 7;
  const mantissa = exponent === 0 ? value >> 4 : (value >> (exponent + 3)) & 0x0f;
  return ((sample < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55;
}
