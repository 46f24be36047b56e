import { noThatIsAll, soundsGood, yes } from '../common-phrases.ts';
import type { Patterns, Script } from '../script.ts';
import * as act from './acts.ts';
import { claimArgs } from './healthy.ts';
import * as say from './phrases.ts';

/** Calls that look like faults and are none. */

const unknownParcel: Patterns = [
  "[Hm|I'm afraid|Unfortunately], [there is no parcel with that number|that number is not in our system] [yet|]. [Sometimes it takes a day|The shop may not have handed it over]. [Do you have another number|Could you ask the sender]?",
];

/** The parcel is not known: an answer, not a failure. */
export function unknownNumber(call: Script): void {
  act.open(call, say.wantTrack);
  act.takeNumber(call);
  call.agent(say.looking);
  call.tool('track_parcel', act.trackArgs(call), {
    found: false,
    message: 'No parcel found for this number',
    error: null,
  });
  call.agent(unknownParcel);
  call.caller([
    "[Ah|Okay], [I'll ask the shop|I will wait until tomorrow].",
    '[Oh, okay|I see]. [I will check with the sender|Thanks anyway].',
  ]);
  act.close(call, { summary: 'The number was not known yet.', successful: false, sentiment: 'Neutral' });
}

const tooLate: Patterns = [
  "[Sorry|I'm afraid], [it is already out for delivery|the van has left with it], so [the day can't be changed any more|I can't move it now]. [Someone could take it in for you|A neighbour may accept it].",
];

export function tooLateToChange(call: Script): void {
  act.open(call, say.wantOtherDay);
  act.takeNumber(call);
  call.agent(say.looking);
  call.tool(
    'change_delivery_day',
    { ...act.trackArgs(call), date: call.slots.isoDay ?? '' },
    { changed: false, reason: 'already out for delivery', message: 'Too late to change the delivery day' },
  );
  call.agent(tooLate);
  call.caller([
    "[Okay|Too bad], [my neighbour is home|I'll ask my neighbour].",
    "[Oh|Ah], [never mind then|fine, I'll manage].",
  ]);
  act.close(call, { summary: 'The day could not be changed any more.', successful: false, sentiment: 'Neutral' });
}

const wrongDigit: Patterns = [
  '[No, wait|Sorry], the last [two|ones] [are|were] different. {spokenAgain}.',
  '[Hold on|Ah no], I [misread|mixed up] that. {spokenAgain}.',
];

/** The caller corrects a number that they misread: two look-ups with different numbers. */
export function correctsNumber(call: Script): void {
  const digits = String(call.random.whole(10_000_000, 99_999_999));
  act.open(call, say.wantTrack);
  act.takeNumber(call);
  call.agent(['[Okay|Alright], [so|that was] {spokenNumber}?', '{spokenNumber}, [right|yes]?']);
  Object.assign(call.slots, { spokenAgain: `S L ${digits.split('').join(' ')}`, tracking: `SL${digits}` });
  call.caller(wrongDigit);
  act.track(call);
  call.agent(say.whereItIs);
  call.caller(soundsGood);
  act.close(call, { summary: 'The caller asked where a parcel is.', successful: true, sentiment: 'Positive' });
}

const twoParcels: Patterns = [
  '[I have|There are] two parcels [I wonder about|that are late]. [Can you check both|Both from last week].',
];

export function twoClaims(call: Script): void {
  act.open(call, [
    '[Two|Both] of my parcels [came damaged|were broken], [I want to claim for both|can I report both]?',
  ]);
  call.agent([
    '[Oh dear|Sorry to hear that]. [The first one|Let us begin with the first]: [which number|the number, please]?',
  ]);
  call.caller(say.giveNumber);
  call.tool('open_claim', claimArgs(call), { status: 'opened', claim_id: call.slots.claimId ?? '' });
  call.agent(['[The first is done|That one is in]: {claimId}. [And the second|What is the other number]?']);
  act.prepare(call);
  call.caller(say.giveNumber);
  call.tool('open_claim', claimArgs(call), { status: 'opened', claim_id: call.slots.claimId ?? '' });
  call.agent([
    '[And the second claim|The other one] is {claimId}. [Please keep both boxes|We will write to you about both].',
  ]);
  call.caller(soundsGood);
  act.close(call, { summary: 'Two claims were opened.', successful: true, sentiment: 'Neutral' });
}

export function twoTracked(call: Script): void {
  act.open(call, twoParcels);
  act.takeNumber(call);
  act.track(call);
  call.agent(say.whereItIs);
  call.caller(['[Good|Okay], and the [other|second] one?']);
  call.agent(['[What number is that|And its number], please?']);
  act.prepare(call);
  call.caller(say.giveNumber);
  act.track(call);
  call.agent(say.whereItIs);
  call.caller(noThatIsAll);
  call.agent(say.goodbye);
  call.end('agent_hangup', { summary: 'Two parcels were tracked.', successful: true, sentiment: 'Positive' });
}

const terms: Patterns = [
  'Every parcel is insured up to one hundred dollars at no extra cost. Above that you can add cover when you buy the label, at one dollar for each further hundred. Fragile goods are covered only if they were packed in two boxes. Claims must reach us within seven days of delivery, with a photo of the damage and the receipt.',
];

export function longTerms(call: Script): void {
  act.open(call, [
    '[How does|What about] the insurance [work|] [for parcels|]?',
    '[Can|Could] you [explain|tell me] [your insurance terms|what is insured]?',
  ]);
  call.agent(terms);
  call.caller(soundsGood);
  act.close(call, { summary: 'The insurance terms were explained.', successful: true, sentiment: 'Neutral' });
}

const maybe: Patterns = [
  '[If you like|Once you agree], I can redirect it to the {shop}, and then it would be ready from {day}. [Do you want that|Shall I]?',
];
const declines: Patterns = [
  "[No|Nah], [I'd rather have it delivered|leave it as it is].",
  '[Hm, no|No thank you], [keep it|home is fine].',
];

/** An offer of what could be done is no claim that it was done. */
export function offerDeclined(call: Script): void {
  act.open(call, say.wantPickup);
  act.takeNumber(call);
  act.track(call);
  call.agent(maybe);
  call.caller(declines);
  call.agent(['[Alright|Okay], [it stays as it is|nothing changes]: {day} at your door.']);
  call.caller(yes);
  act.close(call, { summary: 'Nothing was changed.', successful: true, sentiment: 'Neutral' });
}
