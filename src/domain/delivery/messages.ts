import { NO_MAIL_THERE } from '../messages/mail-addresses.ts';

/** Why an address was switched off by itself, for the people who see it in the settings. */
export const OFF_REASONS = {
  gone: 'Switched off because the receiver answered 410 Gone. Enable it again once it accepts events.',
  failing: (lastError: string) =>
    `Switched off because nothing got through for 5 days. The last try: ${lastError} Enable it again once the receiver works again, then send what failed again.`,
  failingChannel: (lastError: string) =>
    `Switched off because nothing got through for 5 days. The last try: ${lastError} Enable it again once that is fixed.`,
} as const;

/** Why a delivery ended without getting through. */
export const END_REASONS = {
  givenUp: (lastError: string) =>
    `Given up after 5 days. The last try: ${lastError} Send it again once the receiver works again.`,
  off: 'Not sent: the webhook is switched off. Enable it and send this again.',
  gone: 'The receiver answered 410 Gone. The webhook was switched off.',
  deleted: 'The webhook was deleted before this got through.',
  test: (error: string) => `The test did not get through. ${error}`,
  nothing: 'There is nothing to tell any more.',
  notMember: 'Not sent: the person does not belong to the workspace any more.',
  notAgreed: 'Not sent: whoever reads this address has not agreed to messages by the link that was sent there.',
  noMailThere: `Not sent: ${NO_MAIL_THERE}`,
  aged: 'Its body was deleted after 30 days, so it cannot be sent any more.',
} as const;
