import { z } from 'zod';
import { anything, flag, list, number, object, text } from '../lenient.ts';

/** One line of an uploaded file. `labels` and every other field that is not named here are never looked at. */
export const fileRecord = z.object({
  id: anything,
  startedAt: anything,
  endedAt: anything,
  direction: text,
  callerNumber: text,
  version: number,
  disconnectionReason: text,
  endedBy: text,
  language: text,
  channel: text,
  timeZone: text,
  notRecorded: list,
  metadata: object,
  turns: anything,
});
export type FileRecord = z.infer<typeof fileRecord>;

export const fileTurn = z.object({
  role: text,
  text: anything,
  startMs: number,
  endMs: number,
  toolCall: object,
  toolResult: object,
  alternatives: list,
  nodeId: text,
  words: list,
  interrupted: flag,
  dtmf: text,
  wordsMissing: flag,
});
export type FileTurn = z.infer<typeof fileTurn>;
