import { UnreadableCall } from '../port.ts';
import type { Format } from './format.ts';
import type { Marks } from './marks.ts';
import { like, object, oneOf, present, text } from './marks.ts';

/** Tells that a transcript is ready, or how its job stands, and holds no word of it. */
const announcement = (name: string, marks: Marks, field: string, instead: string): Format => ({
  name,
  marks,
  read() {
    throw new UnreadableCall(`The ${name} tells of a transcript and holds no words: ${instead}`, field);
  },
});

export const ANNOUNCEMENTS: readonly Format[] = [
  {
    ...announcement(
      'AssemblyAI webhook',
      { transcript_id: text, status: oneOf('completed', 'error') },
      'transcript_id',
      'import the answer of `GET /v2/transcript/{transcript_id}`, made with `speaker_labels` or `multichannel`.',
    ),
  },
  announcement(
    'Twilio Conversational Intelligence webhook',
    { transcript_sid: text, event_type: like('an event of Conversational Intelligence', /^voice_intelligence_/) },
    'transcript_sid',
    'import the answer of `GET /v2/Transcripts/{transcript_sid}/Sentences`.',
  ),
  announcement(
    'Amazon Transcribe event',
    { source: oneOf('aws.transcribe'), detail: object },
    'detail',
    'import the file that the job writes into your S3 bucket.',
  ),
  announcement(
    'Amazon Transcribe job',
    { 'TranscriptionJob.TranscriptionJobName|CallAnalyticsJob.CallAnalyticsJobName': text },
    'TranscriptionJob.Transcript',
    'import the file at its `TranscriptFileUri`.',
  ),
  announcement(
    'Azure batch transcription job',
    { self: text, 'links.files': text, status: present },
    'links.files',
    'import the files of kind `Transcription` that `links.files` lists.',
  ),
];
