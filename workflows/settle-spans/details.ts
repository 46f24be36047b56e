import { SILENCE_SECONDS } from '../../src/domain/spans/waits.ts';
import type { SettleLook } from '../../src/temporal/settle-spans.ts';
import { clock } from '../shared/clock.ts';

/** What the workflow waits for, in one line. */
export function settleHeadline(look: SettleLook | null): string {
  if (look === null) return 'Looks at the spans';
  if (look.nextAt === null) return 'No call goes on: waits for spans';
  return `Waits until ${clock(Date.parse(look.nextAt), Date.parse(look.now))}, when the next call is made of its spans`;
}

/** What an operator reads: how many calls go on, and what ends the wait for each. */
export function settleDetails(look: SettleLook): string {
  const goingOn = look.open - look.ended;
  const paragraphs = [`**${settleHeadline(look)}**`];
  if (look.ended > 0) paragraphs.push(`${look.ended} ended, waiting for spans that come late.`);
  if (goingOn > 0) {
    const minutes = SILENCE_SECONDS / 60;
    paragraphs.push(
      `${goingOn} without an end so far: each is closed, and said to be incomplete, ${minutes} minutes after its last span.`,
    );
  }
  if (look.leftOut > 0) {
    paragraphs.push(
      `${look.leftOut} traces were left out of a call that spans of too many traces name: calls need names of their own.`,
    );
  }
  paragraphs.push(
    'Nothing needs to be done. The signal `moved` makes it look at once; terminating it is safe, the next spans start it again.',
  );
  return paragraphs.join('\n\n');
}
