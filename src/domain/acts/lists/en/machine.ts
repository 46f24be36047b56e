/** What an answering machine says; such a voice is no caller. */
export const MACHINE_GREETING: readonly string[] = [
  'leave [me/us] a/your [brief/short/detailed] message',
  'at/after the tone/beep',
  "you've reached [the/our] voicemail/mailbox",
  "you've reached the voice mailbox/mail",
  'the person you are/have calling/called/dialed',
  'is not available to take your call',
  "can't take/come your/to call/the [phone]",
  'unable to take/come your/to call/the [phone]',
  'record your message',
  'mailbox is full',
  'has been forwarded to [an] [automated/automatic] voice/voicemail',
  'leave your name and number',
];
