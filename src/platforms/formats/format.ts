import type { Transition } from '../../domain/calls/call.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { Marks } from './marks.ts';

/** What somebody hands over as one call, with what they say about it. */
export interface Given {
  /** JSON as it came, or the text of a file that is none. */
  value: Json;
  /** Of the file that holds nothing else; null where there is none. */
  name: string | null;
  /** Who speaks, by the names that the call gives its speakers. */
  roles: Readonly<Record<string, string>>;
  /** IANA name of the zone of times that name none; null where nobody said. */
  timeZone: string | null;
}

/** What a format was read as: a record under our names, or the payload that the reader of a platform takes. */
export type Reading =
  | {
      as: 'record';
      record: JsonObject;
      /** Where each turn stands in what was given, such as `messages[3]`. */
      places: string[];
      /** Moves between steps that are more than a change of `nodeId`. */
      transitions?: Transition[];
      /** Why LiveKit says that the session was closed. */
      closeReason?: string | null;
      /** What was left out or had to be supposed, in sentences. */
      warnings: string[];
    }
  | { as: 'retell' | 'vapi' | 'elevenlabs'; payload: JsonObject; warnings?: string[] };

/** One shape in which calls are handed over. */
export interface Format {
  /** As a sentence names it, such as "ElevenLabs post-call webhook". */
  name: string;
  /** What is true of every value of this format, and of no other that stands behind it in the registry. */
  marks: Marks;
  /** A condition that no path can say. */
  unless?(value: Json): boolean;
  /** @throws UnreadableCall with what is wrong, or what to export instead. */
  read(given: Given): Reading;
}
