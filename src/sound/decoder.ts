/** Takes a recording in pieces and gives its samples as they come. */
export interface SoundDecoder {
  /** @throws SoundError */
  push(bytes: Uint8Array): Promise<void> | void;
  /** Gives what is left. @throws SoundError where the recording is cut before any sound. */
  end(): Promise<void> | void;
}

/** @param channels samples of each channel, -1 to 1, of the same length; not kept by whoever takes them */
export type TakeSamples = (channels: readonly Float32Array[], rate: number) => void;
