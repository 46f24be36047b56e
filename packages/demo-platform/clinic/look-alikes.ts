import { soundsGood, yes } from '../common-phrases.ts';
import { isoDay, sayDay, workDay } from '../people.ts';
import type { Patterns, Script } from '../script.ts';
import * as act from './acts.ts';
import { handOver } from './healthy.ts';
import * as say from './phrases.ts';
import * as want from './requests.ts';

/** Calls that look like faults and are none: the business says no, or people behave as people do. */

const nothingFree: Patterns = [
  "[I'm sorry|Unfortunately], {day} is [fully booked|completely full]. [Shall I put you on the waiting list|Would you like to be on the waiting list for that day]?",
  '[Oh|Hm], [there is nothing left|we have nothing free] on {day}. [I can put you on the waiting list|Would the waiting list be of help]?',
];

export function nothingFreeThatDay(call: Script): void {
  act.greet(call);
  act.request(call, want.wantBooking);
  act.identify(call);
  act.askDay(call);
  call.step('fn_check_availability', 'Check the diary');
  call.agent(say.checkDiary);
  call.tool('check_availability', act.dayArgs(call), { slots: [], message: 'No openings on this date.' });
  call.step('node_waiting_list', 'Waiting list');
  call.agent(nothingFree);
  call.caller([
    "[No|No, thanks], [I'll ask again next month|that's okay, I'll look at my calendar first].",
    "[Never mind|That's alright], [I will check my diary and call again|it's not urgent].",
  ]);
  act.wrapUp(
    call,
    { summary: 'Nothing was free on the wanted day.', successful: false, sentiment: 'Neutral' },
    say.farewellNoVisit,
  );
}

const noFile: Patterns = [
  "I [don't have|can't see] a file [under that name|with these details] yet[, so you must be new with us|]. [Shall I open one for you|May I register you]?",
  '[It looks like|Seems] you [have not been here before|are new to us]. [I can register you now|Shall I create a file]?',
];

export function newPatient(call: Script): void {
  act.greet(call);
  act.request(call, want.wantBooking);
  act.askWho(call);
  call.step('fn_find_patient', 'Find the patient');
  call.agent(say.lookUp);
  call.tool('find_patient', act.findArgs(call), { found: false, patient: null });
  call.step('node_register', 'Register a new patient');
  call.agent(noFile);
  call.caller(yes);
  call.tool('register_patient', act.findArgs(call), { status: 'registered', patient_id: call.slots.patientId ?? '' });
  act.askDay(call);
  act.offer(call);
  act.book(call);
  call.caller(soundsGood);
  act.wrapUp(call, { summary: 'A new patient registered and booked.', successful: true, sentiment: 'Positive' });
}

const changesMind: Patterns = [
  'Actually, [wait|hold on], [could we do|can we make it] {otherWeekday} instead? [I just saw I have something on|My husband needs the car].',
  '[Hmm|Oh], [on second thought|thinking about it], {otherWeekday} [would be easier|is better for me].',
];

export function changingMind(call: Script): void {
  act.greet(call);
  act.request(call, want.wantBooking);
  act.identify(call);
  act.askDay(call);
  call.step('fn_check_availability', 'Check the diary');
  call.agent(say.checkDiary);
  call.tool('check_availability', act.dayArgs(call), {
    slots: [call.slots.timeA ?? '', call.slots.timeB ?? ''],
    dentist: call.slots.dentist ?? '',
  });
  call.step('node_offer_slots', 'Offer times');
  call.agent(say.offerSlots);
  const other = workDay(Date.parse(`${call.slots.isoDay}T00:00:00Z`), call.random.whole(1, 4));
  Object.assign(call.slots, { otherWeekday: sayDay(other).split(',')[0] ?? '' });
  call.caller(changesMind);
  Object.assign(call.slots, { weekday: call.slots.otherWeekday ?? '', day: sayDay(other), isoDay: isoDay(other) });
  act.offer(call);
  act.book(call);
  act.maybeText(call, 0.2);
  act.wrapUp(call, { summary: 'The caller changed the day and booked.', successful: true, sentiment: 'Positive' });
}

const spellsOut: Patterns = [
  "It's {full}. [That's|I'll spell it] {spelled}. {spelled}. And {birth}.",
  '{full}, {spelled}, [like the bird, no, just|] {spelled}, and my birthday is {birth}.',
];

const readBack: Patterns = [
  '[Thank you|Got it]: {spelled}, born {birth}. [Is that right|Did I get that right]?',
  '{full}, {spelled}, {birth}. [Correct|Right]?',
];

/** A name spelled out twice and read back: care, not a failure to hear. */
export function spellingTwice(call: Script): void {
  Object.assign(call.slots, { spelled: call.person.last.toUpperCase().split('').join(' ') });
  act.greet(call);
  act.request(call, want.wantBooking);
  call.step('node_identify', 'Identify the patient');
  call.agent(say.askIdentity);
  call.caller(spellsOut);
  call.agent(readBack);
  call.caller(yes);
  act.findPatient(call);
  act.askDay(call);
  act.offer(call);
  act.book(call);
  call.caller(soundsGood);
  act.wrapUp(call, { summary: 'Booked after spelling the name.', successful: true, sentiment: 'Positive' });
}

const twoVisits: Patterns = [
  'I [need|want] [appointments|check-ups] for both my [children|kids|boys|girls][. Back to back if possible|, one after the other|].',
  '[Can|Could] I book [my son and my daughter|the twins|my two kids] in for a check-up?',
];

const bothBooked: Patterns = [
  '[All set|Done]. Both are booked for {day}: the first at {slotA}, the second at {slotB}.',
  'Your two appointments are booked, {day} at {slotA} and at {slotB}.',
];

/** The same tool twice, for two people: no double booking. */
export function twoChildren(call: Script): void {
  const child = {
    a: `${call.random.pick(['Theo', 'Mia', 'Jonas', 'Ella'])} ${call.person.last}`,
    b: `${call.random.pick(['Luca', 'Ida', 'Sam', 'Nora'])} ${call.person.last}`,
  };
  act.greet(call);
  act.request(call, twoVisits);
  act.identify(call);
  act.askDay(call);
  call.step('fn_check_availability', 'Check the diary');
  call.agent(say.checkDiary);
  call.tool('check_availability', act.dayArgs(call), {
    slots: [call.slots.timeA ?? '', call.slots.timeB ?? ''],
    dentist: call.slots.dentist ?? '',
  });
  call.step('node_offer_slots', 'Offer times');
  call.agent(['[I have|There is] {slotA} and {slotB} on {day}. [Shall I take both|One for each]?']);
  call.caller(yes);
  call.step('fn_book', 'Book the visit');
  call.agent(say.booking);
  for (const [patient, time] of [
    [child.a, call.slots.timeA],
    [child.b, call.slots.timeB],
  ] as const) {
    call.tool(
      'book_appointment',
      { ...act.bookArgs(call), patient_name: patient, time: time ?? '' },
      {
        status: 'booked',
        visit_id: `V-${call.random.whole(100_000, 999_999)}`,
        date: call.slots.isoDay ?? '',
        time: time ?? '',
      },
    );
  }
  call.agent(bothBooked);
  call.caller(soundsGood);
  act.wrapUp(call, { summary: 'Two children booked.', successful: true, sentiment: 'Positive' });
}

const policyQuestion: Patterns = [
  '[What is|How does] your cancellation [policy|rule] [work|]?',
  '[What happens|Do I pay something] if I [cancel late|miss an appointment|do not show up]?',
];

const policy: Patterns = [
  'Our cancellation policy is as follows. You may cancel or move a visit free of charge until two working days before it. After that we charge forty dollars for visits of up to half an hour and eighty dollars for longer ones. If you miss a visit without calling us, the full fee is due. Fees are waived in case of illness with a note from your doctor.',
  'This is the policy of the practice. Visits can be cancelled without a fee up to forty-eight hours ahead. Later cancellations cost forty dollars, or eighty for treatments longer than thirty minutes. Missed visits are billed in full. With a note from a doctor there is no fee, and emergencies in the family are of course excused as well.',
];

/** A policy read out in full because the caller asked for it. */
export function longPolicy(call: Script): void {
  act.greet(call);
  act.request(call, policyQuestion);
  call.step('node_policy', 'Cancellation policy');
  call.agent(policy);
  call.caller(soundsGood);
  act.wrapUp(
    call,
    { summary: 'The cancellation policy was read out.', successful: true, sentiment: 'Neutral' },
    say.farewellNoVisit,
  );
}

const slowSystem: Patterns = [
  '[Bear with me|This can take a moment], [our calendar is a little slow today|the diary takes a few seconds to load] while I look at {weekday}.',
  "I'm opening {weekday} in the diary now, [that takes a little while|it needs a few seconds].",
];

/** A slowish look-up that the agent announces. */
export function announcedWait(call: Script): void {
  act.greet(call);
  act.request(call, want.wantBooking);
  act.identify(call);
  act.askDay(call);
  call.step('fn_check_availability', 'Check the diary');
  call.agent(slowSystem);
  call.tool(
    'check_availability',
    act.dayArgs(call),
    { slots: [call.slots.timeA ?? '', call.slots.timeB ?? ''], dentist: call.slots.dentist ?? '' },
    { seconds: call.random.between(2, 2.7) },
  );
  act.pickSlot(call);
  act.book(call);
  call.caller(soundsGood);
  act.wrapUp(call, { summary: 'Booked after an announced wait.', successful: true, sentiment: 'Positive' });
}

const looksForCard: Patterns = [
  '[The card|My letter] [must be|is] here somewhere, [just a moment|one second please].',
  '[Hang on|One moment], [I have to find my glasses|let me get the letter].',
];

/** A long silence that the caller asked for. */
export function callerSearches(call: Script): void {
  act.greet(call);
  act.request(call, want.wantWhen);
  call.step('node_identify', 'Identify the patient');
  call.agent(say.askIdentity);
  call.caller(looksForCard);
  call.agent(['[Take your time|No rush|Of course].', '[Sure|No hurry], [I will wait|take all the time you need].']);
  call.caller(say.giveIdentity, { gap: call.random.between(7, 11) });
  act.findPatient(call);
  call.agent(['You are down for {oldDay}.', '[Here it is|I have it]: {oldDay}[, with {dentist}|].']);
  call.caller(soundsGood);
  act.wrapUp(call, { summary: 'The caller asked for the date of a visit.', successful: true, sentiment: 'Positive' });
}

const whichDesk: Patterns = [
  '[Sure|Of course]. Is it about [a bill or about a treatment|billing or a visit], so that I [connect you to the right desk|put you through to the right person]?',
];
const asksAgain: Patterns = [
  "It's about a bill. [Can I|May I] [talk|speak] to someone [in billing|there], please?",
  '[Billing|A bill]. [Please put me through to a person|I would like to speak to a person there].',
];

/** Asked for twice, but only because the agent had to know which desk; then connected. */
export function asksForDesk(call: Script): void {
  act.greet(call);
  act.request(call, want.wantPerson);
  call.step('node_handover', 'Hand over to the desk');
  call.agent(whichDesk);
  call.caller(asksAgain);
  call.agent(handOver);
  call.tool('transfer_call', { destination: 'billing' }, { status: 'connected' });
  call.end('call_transfer', {
    summary: 'The caller was handed over to billing.',
    successful: true,
    sentiment: 'Neutral',
  });
}

const machineGreeting: Patterns = [
  "[Hi|Hello], you've reached {first} {last}. [I can't come to the phone right now|I'm not available at the moment]. [Please leave a message after the tone|Leave your name and number and I'll call you back].",
  'The person you are trying to reach is not available. At the tone, please record your message.',
];
const leavesMessage: Patterns = [
  '[Hello|Hi] {first}, this is Maple Court Dental [with a reminder of|about] your visit on {oldDay}. [Please call us if that no longer works|No need to call back]. Goodbye.',
];

/** Outbound: an answering machine, and a short message. */
export function answeringMachine(call: Script): void {
  call.step('node_reminder', 'Remind of a visit');
  call.caller(machineGreeting, { gap: 0, verbatim: true });
  call.agent(leavesMessage);
  call.end('voicemail_reached', {
    summary: 'A machine answered.',
    successful: false,
    sentiment: 'Neutral',
    voicemail: true,
  });
}
