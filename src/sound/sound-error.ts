/** A recording that can't be heard. The message is a sentence for people, with what would help where something would. */
export class SoundError extends Error {
  override name = 'SoundError';
}
