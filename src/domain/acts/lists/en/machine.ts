/** What an answering machine says; such a voice is no caller. */
export const MACHINE_GREETING: readonly string[] = [
  'leave [me/us] a/your [brief/short/detailed] message',
  'at/after the tone/beep',
  "you've reached [the/our] voicemail/mailbox",
  "you've reached the voice mailbox/mail",
  'the person you are/have calling/called/dialed',
  'is not available to take your call',
  "can't take your/the call",
  "can't come/get to the phone/telephone",
  'unable to take your/the call',
  'unable to come/get to the phone/telephone',
  'record your message',
  'mailbox is full',
  'has been forwarded to [an] [automated/automatic] voice/voicemail',
  'leave your name and number',
];
