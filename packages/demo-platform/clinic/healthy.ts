import { askPerson, bye, noThatIsAll, soundsGood, wrongNumber, yes } from '../common-phrases.ts';
import { isoDay } from '../people.ts';
import type { Patterns, Script } from '../script.ts';
import * as act from './acts.ts';
import * as say from './phrases.ts';
import * as want from './requests.ts';

export function booking(call: Script): void {
  act.greet(call);
  act.request(call, want.wantBooking);
  act.identify(call);
  act.askDay(call);
  act.offer(call);
  act.book(call);
  act.maybeText(call);
  act.wrapUp(call, {
    summary: `${call.person.full} booked ${call.slots.service}.`,
    successful: true,
    sentiment: 'Positive',
  });
}

const newDayFound: Patterns = [
  '[I see it|There it is|Found it]: {oldDay}. [What day would be better|When would you like to come instead|Which day suits you]?',
  'You [are|were] down for {oldDay}. [Where shall I move it|What other day works]?',
];

const moved: Patterns = [
  "[Done|All set], I've moved your appointment to {day} at {slotPick}.",
  'Your appointment has been moved to {day} at {slotPick}, {first}.',
  "[That's changed|There we go]. Your new time is {day} at {slotPick}, and the old one is free again.",
];

export function moving(call: Script): void {
  act.greet(call);
  act.request(call, want.wantMove);
  act.identify(call);
  call.step('node_pick_day', 'Agree on a day');
  call.agent(newDayFound);
  call.caller(say.wantDay);
  act.offer(call);
  call.step('fn_move', 'Move the visit');
  call.agent(say.booking);
  call.tool(
    'move_appointment',
    { visit_id: call.slots.visitId ?? '', date: call.slots.isoDay ?? '', time: call.slots.timePick ?? '' },
    {
      status: 'moved',
      visit_id: call.slots.visitId ?? '',
      date: call.slots.isoDay ?? '',
      time: call.slots.timePick ?? '',
    },
  );
  call.agent(moved);
  act.maybeText(call, 0.25);
  act.wrapUp(call, { summary: `${call.person.full} moved a visit.`, successful: true, sentiment: 'Positive' });
}

const confirmCancel: Patterns = [
  '[I see|There is] your [visit|appointment] on {oldDay}. [Shall I cancel it|Do you want me to cancel that one]?',
  'That is {oldDay}, [right|correct]? [I can take it out|Shall I go ahead and cancel it]?',
];

const cancelled: Patterns = [
  '[Okay|Done|Alright], your appointment on {oldDay} has been cancelled[. There is no charge|].',
  "I've cancelled [it|your appointment on {oldDay}|that visit] for you.",
];

export function cancelling(call: Script): void {
  act.greet(call);
  act.request(call, want.wantCancel);
  act.identify(call);
  call.step('fn_cancel', 'Cancel the visit');
  call.agent(confirmCancel);
  call.caller(yes);
  call.tool(
    'cancel_appointment',
    { visit_id: call.slots.visitId ?? '' },
    { status: 'cancelled', visit_id: call.slots.visitId ?? '' },
  );
  call.agent(cancelled);
  call.caller(soundsGood);
  act.wrapUp(
    call,
    { summary: `${call.person.full} cancelled a visit.`, successful: true, sentiment: 'Neutral' },
    say.farewellNoVisit,
  );
}

const fee: Patterns = [
  'For {service} [it is|we charge|the fee is] {feeLow} to {feeHigh} dollars, depending on [the tooth|how long it takes|what we find].',
  '[That would be|It comes to] about {feeLow} to {feeHigh} dollars [for {service}|] [if you pay yourself|without insurance].',
];

const followUp: Patterns = [
  '[And do|Do] you [need a deposit|take cards|offer instalments]?',
  '[Does that include|Is that with] the [first examination|X-ray]?',
  '[Okay|Right]. [Is it|Would it be] less with insurance?',
];

const feeDetail: Patterns = [
  '[Yes|It does|We do], [you can pay by card or in three monthly parts|the first examination is included|and most plans cover about half of it].',
  '[Most insurers cover part of it|That depends on your plan], [and|but] we send you [an estimate|the figures] in writing before anything starts.',
];

export function askingFees(call: Script): void {
  const low = call.random.whole(8, 45) * 10;
  Object.assign(call.slots, { feeLow: String(low), feeHigh: String(low + call.random.whole(3, 12) * 10) });
  act.greet(call);
  act.request(call, want.wantFees);
  call.step('node_fees', 'Fees and insurance');
  call.agent(fee);
  if (call.random.chance(0.7)) {
    call.caller(followUp);
    call.agent(feeDetail);
  }
  call.caller(soundsGood);
  act.wrapUp(
    call,
    { summary: 'The caller asked about fees.', successful: true, sentiment: 'Neutral' },
    say.farewellNoVisit,
  );
}

export const practiceInfo: Patterns = [
  '[We are|You find us] at 48 Maple Court, [next to|opposite] the library. We open at eight [in the morning|] and close at five thirty[, and at one on Saturdays|].',
  'Our hours are eight to five thirty[ on weekdays|, Monday to Friday], [and Saturdays until one|with Saturday mornings too]. [The entrance is on Maple Court|The practice is at 48 Maple Court].',
  "Maple Court 48, [the yellow building|right by the library]. [On weekdays|Monday to Friday] we're here from eight until five thirty.",
];

export const parkingInfo: Patterns = [
  '[You can park|There is parking] [behind the building|in the yard behind the practice], [free for patients|and it costs nothing for two hours].',
  'The [small car park|yard] behind the practice is [free|for our patients], [just ring at the gate|the gate is open until six].',
];

export function askingInfo(call: Script): void {
  act.greet(call);
  act.request(call, want.wantInfo);
  call.step('node_info', 'Hours and directions');
  call.agent(practiceInfo);
  call.caller([
    '[And|Okay, and] [what about parking|where do I leave the car|is there a car park]?',
    '[Good|Okay]. [Can I park|Is there parking] [there|close by]?',
  ]);
  call.agent(parkingInfo);
  call.caller(soundsGood);
  act.wrapUp(
    call,
    { summary: 'The caller asked about hours and parking.', successful: true, sentiment: 'Positive' },
    say.farewellNoVisit,
  );
}

const yourVisit: Patterns = [
  '[You are|We have you] down for {oldDay}[, and the visit is with {dentist}|].',
  '[Here it is|Found it]: {oldDay}[, with {dentist}|]. [Does that still work|All good]?',
];

export function askingWhen(call: Script): void {
  act.greet(call);
  act.request(call, want.wantWhen);
  act.identify(call);
  call.agent(yourVisit);
  call.caller(soundsGood);
  act.wrapUp(call, { summary: 'The caller asked for the date of a visit.', successful: true, sentiment: 'Positive' });
}

export const handOver: Patterns = [
  "[Of course|Sure|Certainly], [let me put you through|I'll connect you|I'm transferring you] to [the front desk|our billing desk|a colleague] now.",
  '[I understand|No problem]. [One moment|Just a second], [connecting you|putting you through] to [reception|a colleague].',
];

const colleagueGreets: Patterns = [
  'Front desk, [Dana|Milo|Jess] speaking, [how can I help|what can I do for you]?',
  '[Hello|Hi], this is [Dana|Milo|Jess] at the desk.',
];

export function handedOver(call: Script): void {
  act.greet(call);
  act.request(call, call.random.chance(0.6) ? want.wantPerson : askPerson);
  call.step('node_handover', 'Hand over to the desk');
  call.agent(handOver);
  call.tool(
    'transfer_call',
    { destination: 'front_desk' },
    { status: 'connected' },
    { seconds: call.random.between(0.5, 1.4) },
  );
  if (call.random.chance(0.4)) call.colleague(colleagueGreets);
  call.end('call_transfer', {
    summary: 'The caller was handed over to the desk.',
    successful: true,
    sentiment: 'Neutral',
  });
}

const sameDay: Patterns = [
  "[Oh, I'm sorry to hear that|That sounds unpleasant]. [We keep a slot for emergencies|Let me see if we can fit you in today].",
  "[Ouch|Poor you], [we'll get you seen|let's find you something today].",
];

export function emergency(call: Script): void {
  const today = new Date(call.startMs);
  Object.assign(call.slots, { isoDay: isoDay(today), day: 'today', weekday: 'today', service: 'an emergency visit' });
  act.greet(call);
  act.request(call, want.fearsPain);
  call.agent(sameDay);
  act.identify(call);
  act.offer(call);
  act.book(call);
  call.caller(soundsGood);
  act.wrapUp(call, { summary: 'An emergency visit was booked.', successful: true, sentiment: 'Positive' });
}

export function wrongCaller(call: Script): void {
  act.greet(call);
  act.request(call, wrongNumber);
  call.agent([
    '[No problem|That happens]! This is Maple Court Dental. [Have a nice day|Goodbye].',
    "[No worries|It's fine], you've reached a dental practice. [Take care|Bye now].",
  ]);
  call.caller(bye);
  call.end('user_hangup', { summary: 'Wrong number.', successful: false, sentiment: 'Neutral' });
}

const reminder: Patterns = [
  "[Hello|Hi], this is Robin from Maple Court Dental, calling about {first}'s appointment on {oldDay}. [Can you still make it|Does that still suit you]?",
  '[Good day|Hello], Maple Court Dental here. {first} has a visit with us on {oldDay}. [Shall we keep it|Is that still fine]?',
];

/** Outbound: the practice reminds of a visit. */
export function reminding(call: Script): void {
  call.step('node_reminder', 'Remind of a visit');
  call.agent(reminder, { gap: 0 });
  call.caller([
    "[Yes|Oh yes|Yeah], [I'll be there|that's fine|we'll come][, thank you|].",
    '[Thanks for the reminder|Oh, right], [I will be there|it still works].',
  ]);
  call.tool(
    'confirm_visit',
    { visit_id: call.slots.visitId ?? '' },
    { status: 'confirmed', visit_id: call.slots.visitId ?? '' },
  );
  call.agent([
    '[Great|Lovely], [see you then|we look forward to seeing you]. [Goodbye|Have a good day]!',
    '[Perfect|Wonderful]. See you on {oldDay}. [Bye|Take care]!',
  ]);
  call.caller(call.random.chance(0.5) ? bye : noThatIsAll);
  call.end('user_hangup', { summary: 'The visit was confirmed.', successful: true, sentiment: 'Positive' });
}
