import { soundsGood, wrongNumber, yes } from '../common-phrases.ts';
import type { Patterns, Script } from '../script.ts';
import * as act from './acts.ts';
import * as say from './phrases.ts';

export function tracking(call: Script): void {
  act.open(call, say.wantTrack);
  act.takeNumber(call);
  act.track(call);
  call.agent(say.whereItIs);
  call.caller(soundsGood);
  act.close(call, { summary: 'The caller asked where a parcel is.', successful: true, sentiment: 'Positive' });
}

const needsNumber: Patterns = [
  '[I can do that|Sure thing]. [Which parcel is it|What is the tracking number]?',
  '[Let me look at it|Gladly]. Your tracking number[, please|]?',
];

export function otherDay(call: Script): void {
  act.open(call, say.wantOtherDay);
  call.agent(needsNumber);
  call.caller(say.giveNumber);
  act.track(call);
  call.agent([
    '[I see it|Found it], [it is in|coming from] {city}. {day} [is possible|can be done]. [Shall I change it|Do you want that]?',
  ]);
  call.caller(yes);
  call.tool(
    'change_delivery_day',
    { ...act.trackArgs(call), date: call.slots.isoDay ?? '' },
    { status: 'changed', delivery_date: call.slots.isoDay ?? '' },
  );
  call.agent(say.dayChanged);
  call.caller(soundsGood);
  act.close(call, { summary: 'The delivery day was changed.', successful: true, sentiment: 'Positive' });
}

export function pickup(call: Script): void {
  act.open(call, say.wantPickup);
  act.takeNumber(call);
  act.track(call);
  call.agent(say.askPickup);
  call.caller(yes);
  redirect(call);
  call.agent(say.pickupSet);
  call.caller(soundsGood);
  act.close(call, { summary: 'The parcel was redirected.', successful: true, sentiment: 'Positive' });
}

export function redirect(call: Script, seconds?: number): void {
  call.tool(
    'redirect_to_pickup_point',
    { ...act.trackArgs(call), pickup_point: call.slots.shop ?? '' },
    { status: 'redirected', pickup_point: call.slots.shop ?? '', ready_from: call.slots.isoDay ?? '' },
    seconds === undefined ? {} : { seconds },
  );
}

const whatIsDamaged: Patterns = [
  "[Oh no|I'm sorry]. [What exactly is damaged|Which part is broken], and [what is the tracking number|may I have the tracking number]?",
];
const describes: Patterns = [
  '[It is|That was] {goods}, [the corner is smashed|one side is torn open|it does not work any more]. The number is {spokenNumber}.',
  '{goods}, [completely bent|cracked|all wet]. {spokenNumber}.',
];

export const claimArgs = (call: Script) => ({
  ...act.trackArgs(call),
  reason: 'damaged',
  item: call.slots.goods ?? '',
});

export function claim(call: Script): void {
  act.open(call, say.wantClaim);
  call.agent(whatIsDamaged);
  call.caller(describes);
  call.agent([
    '[Thank you|Okay], [filing that now|let me open a claim for you].',
    '[I will note that down|Writing that up] [now|for the claims team].',
  ]);
  call.tool('open_claim', claimArgs(call), { status: 'opened', claim_id: call.slots.claimId ?? '' });
  call.agent(say.claimFiled);
  call.caller(soundsGood);
  act.close(call, { summary: 'A claim was opened.', successful: true, sentiment: 'Neutral' });
}

const wantHours: Patterns = [
  '[How late|Until when] is the depot in {city} open[ today|]?',
  '[What are|Can you tell me] the opening hours [of|at] your {city} depot?',
  'When [can I come to|does] the depot in {city}[ open|]?',
];
const hours: Patterns = [
  '[The depot|It] [in {city} |]is open from seven in the morning [until|to] eight in the evening[, Saturdays until two|].',
  '[From seven to eight|Seven until eight] [on weekdays|Monday to Friday], and [till two on Saturdays|Saturdays until two].',
];

export function depotHours(call: Script): void {
  act.open(call, wantHours);
  call.agent(hours);
  call.caller(soundsGood);
  act.close(call, { summary: 'The caller asked for opening hours.', successful: true, sentiment: 'Positive' });
}

const wantPrice: Patterns = [
  '[What does it cost|How much is it] to send [a parcel of {kilos} kilos|{kilos} kilos] [abroad|across the country|to {city}]?',
  "[I'd like to|Can I] send {goods}, about {kilos} kilos. [What would I pay|How much is that]?",
];
const price: Patterns = [
  '[That is|It costs] {price} dollars [with us|at the counter], [and it takes two to three days|insurance included].',
  '[For {kilos} kilos|A parcel like that] [we charge|you pay] {price} dollars.',
];

export function shippingPrice(call: Script): void {
  const kilos = call.random.whole(2, 28);
  Object.assign(call.slots, { kilos: String(kilos), price: String(7 + kilos) });
  act.open(call, wantPrice);
  call.agent(['[Let me check that|One moment].', '[Okay|Sure], let me [calculate|look up] that.']);
  call.tool('quote_price', { weight_kg: kilos, service: 'standard' }, { price_usd: 7 + kilos });
  call.agent(price);
  call.caller(soundsGood);
  act.close(call, { summary: 'The caller asked for a price.', successful: true, sentiment: 'Positive' });
}

export function handedOver(call: Script): void {
  act.open(call, say.wantPerson);
  call.agent(say.connecting);
  call.tool('transfer_call', { destination: 'service_desk' }, { status: 'connected' });
  call.end('call_transfer', { summary: 'The caller was handed over.', successful: true, sentiment: 'Neutral' });
}

const depotTakesNotes: Patterns = [
  "[Notes for drivers are taken by the depot|The depot takes notes for its drivers]. [I'll connect you|Putting you through] now.",
];

/** The first version had the depot take notes for drivers. */
export function notePassedOn(call: Script): void {
  act.open(call, say.wantNote);
  call.agent(depotTakesNotes);
  call.tool('transfer_call', { destination: 'depot' }, { status: 'connected' });
  call.end('call_transfer', { summary: 'The caller was handed to the depot.', successful: true, sentiment: 'Neutral' });
}

const noteKeptWords: Patterns = [
  "[Done|Okay], I've added [the note|it as a note] [to your delivery|for the driver].",
  'Your note [for the driver |]has been added.',
];

export function noteKept(call: Script): void {
  act.open(call, say.wantNote);
  act.takeNumber(call);
  call.tool('leave_driver_note', { ...act.trackArgs(call), note: 'as the caller said' }, { status: 'added' });
  call.agent(noteKeptWords);
  call.caller(soundsGood);
  act.close(call, { summary: 'A note for the driver was kept.', successful: true, sentiment: 'Positive' });
}

export function wrongCaller(call: Script): void {
  act.open(call, wrongNumber);
  call.agent(["[No problem|That's alright], this is Swiftlane parcels. [Goodbye|Have a good day]!"]);
  call.end('user_hangup', { summary: 'Wrong number.', successful: false, sentiment: 'Neutral' });
}

const sendsLink: Patterns = [
  '[Shall I|Should I] [send|text] you a link to follow it?',
  '[Would you like|Do you want] a link to [follow it on a map|track it live]?',
];

export function trackingWithLink(call: Script): void {
  act.open(call, say.wantTrack);
  act.takeNumber(call);
  act.track(call);
  call.agent(say.whereItIs);
  call.caller(['[Okay|Right], [good to know|thanks].', '[Ah|Oh], [fine|good].']);
  call.agent(sendsLink);
  call.caller(yes);
  call.tool(
    'send_tracking_link',
    { ...act.trackArgs(call), phone: call.person.phone },
    { status: 'sent', channel: 'sms' },
  );
  call.agent([
    "[Done|There you go], I've [sent|texted] you the link.",
    'The link has been sent [to your phone|to this number].',
  ]);
  call.caller(soundsGood);
  act.close(call, { summary: 'The caller got a tracking link.', successful: true, sentiment: 'Positive' });
}
