import { askPerson, soundsGood, yes } from '../common-phrases.ts';
import type { Patterns, Script } from '../script.ts';
import * as act from './acts.ts';
import { handOver, parkingInfo, practiceInfo } from './healthy.ts';
import * as say from './phrases.ts';
import * as want from './requests.ts';

/** Calls in which something is broken, each in the words and payloads that a real platform would show. */

const cannotSee: Patterns = [
  "[I'm sorry|My apologies], [I can't get into|I'm not able to open] [the files|our system] [at the moment|right now]. [May I have someone call you back|Shall I ask the desk to call you]?",
  '[Sorry about this|Apologies], [our system is not answering|the records will not open]. [I can ask a colleague to ring you|Would a call back be okay]?',
];

const willCall: Patterns = [
  "[Good|Okay], I've [asked the desk to call you|logged a call back for you] [today|this afternoon|within two hours].",
  '[Done|Alright]. The call back has been requested, [someone will ring you today|expect a call soon].',
];

/** The patient look-up runs into its gateway's time limit. */
export function lookUpTimesOut(call: Script): void {
  act.greet(call);
  act.request(call, call.random.pick([want.wantBooking, want.wantMove, want.wantWhen]));
  act.askWho(call);
  call.step('fn_find_patient', 'Find the patient');
  call.agent(say.lookUp);
  call.tool(
    'find_patient',
    act.findArgs(call),
    { error: 'Gateway Timeout', status: 504 },
    { seconds: call.random.between(2.2, 2.8), successful: false },
  );
  call.step('node_callback', 'Offer a call back');
  call.agent(cannotSee);
  if (call.random.chance(0.75)) {
    call.caller([
      "[Hm, okay|Oh well|That's a pity]. I'll [try again later|call back tomorrow] then.",
      "[No|No thanks], [I will call again|I'll try later].",
    ]);
    call.end('user_hangup', {
      summary: 'The look-up failed and the caller left.',
      successful: false,
      sentiment: 'Negative',
    });
    return;
  }
  call.caller(yes);
  call.tool(
    'request_callback',
    { phone: call.person.phone, topic: 'appointment' },
    { status: 'created', ticket: `CB-${call.random.whole(1000, 9999)}` },
  );
  call.agent(willCall);
  call.caller(['[Okay|Fine], [thanks|bye].', '[Alright|Well then], [goodbye|I will wait for the call].']);
  call.end('user_hangup', {
    summary: 'The look-up failed; a call back was requested.',
    successful: false,
    sentiment: 'Negative',
  });
}

const BLOCKED = { status: 'error', code: 'SENDER_BLOCKED', message: 'Sender id is blocked by the carrier' };

function bookAndText(call: Script): void {
  act.greet(call);
  act.request(call, want.wantBooking);
  act.identify(call);
  act.askDay(call);
  act.offer(call);
  act.book(call);
  call.caller(soundsGood);
  call.step('node_offer_text', 'Offer a text message');
  call.agent(say.offerText);
  call.caller(yes);
  call.step('fn_text', 'Send the text message');
  call.tool('send_text_confirmation', { to: call.person.phone, visit_id: call.slots.visitId ?? '' }, BLOCKED);
}

const textDidNotGo: Patterns = [
  "[Hm|Oh], the text [didn't go through|could not be delivered], [but your visit is saved|but everything is in the diary].",
  "[I'm afraid|Unfortunately] the message could not be sent. [Your appointment stands all the same|You are in the diary, though].",
];

/** The text gateway answers with HTTP 200 and an error inside; the agent says so. */
export function textBlocked(call: Script): void {
  bookAndText(call);
  call.agent(textDidNotGo);
  call.caller([
    "[Oh|Ah], okay, [I'll write it down|no problem].",
    '[Alright|Fine], [I can remember it|never mind the text].',
  ]);
  act.wrapUp(call, { summary: 'Booked; the text could not be sent.', successful: true, sentiment: 'Neutral' });
}

/** The same, but the agent says that the text was sent. */
export function textBlockedButClaimed(call: Script): void {
  bookAndText(call);
  call.agent(say.textSent);
  call.caller(
    call.random.chance(0.5)
      ? soundsGood
      : ["[Hm|Well], [I don't see anything yet|nothing has come so far]. [Okay|Maybe later]."],
  );
  act.wrapUp(call, { summary: 'Booked; a text was announced.', successful: true, sentiment: 'Neutral' });
}

const parkingPlaceholder: Patterns = [
  '[For parking|About parking]: {{parking_note}}. [Anything else about the way here|Will you find it]?',
  '[Sure|Yes]. {{parking_note}} [That is all about parking|And the entrance is on Maple Court].',
];

/** A variable that nothing fills is read out with its braces. */
export function placeholderSpoken(call: Script): void {
  act.greet(call);
  act.request(call, want.wantInfo);
  call.step('node_info', 'Hours and directions');
  call.agent(practiceInfo);
  call.caller([
    '[And|Okay, and] [what about parking|where do I leave the car]?',
    '[Can I park|Is there parking] [there|close by]?',
  ]);
  call.agent(parkingPlaceholder);
  call.caller([
    "[Sorry, what|Pardon]? [That made no sense|I didn't get that].",
    '[Parking note|Brackets]? [What is that|What do you mean]?',
  ]);
  call.agent(parkingInfo);
  call.caller(soundsGood);
  act.wrapUp(
    call,
    { summary: 'The caller asked about parking.', successful: true, sentiment: 'Neutral' },
    say.farewellNoVisit,
  );
}

const whichDay: readonly Patterns[] = [
  ['Which day [would you like|should it be]?', '[What|Which] day do you have in mind?'],
  ['[I see|Okay]. Could you name a day [for me|please]?', 'And [which|what] day exactly?'],
  [
    '[Right|Alright], I [need|would need] a specific day [to look|for the diary].',
    '[To look that up|For the diary] I need one day.',
  ],
  ['[So|Then] what would be the day?', '[Okay|Sure], and the day would be?'],
  ['[Let me ask differently|To be sure]: which day of the week?', '[Just one day|A single day], please?'],
];
const anyDay: Patterns = [
  '[Any day|Whichever|It really does not matter], [just the next free one|whatever you have|you pick].',
  "[I'm|I am] [flexible|free all the time], [the earliest you have|the first opening is fine].",
  '[Just|Simply] [give me the first free one|whatever is soonest].',
  "[I don't mind|Doesn't matter|No preference], [the earliest possible|as soon as it goes].",
  '[You tell me|Whatever works for you], [the soonest|first come first served].',
];

/** Callers without a preference bounce between two steps, as no edge leaves without a named day. */
export function dayLoop(call: Script): void {
  act.greet(call);
  act.request(call, want.wantBooking);
  act.identify(call);
  const rounds = call.random.whole(3, 5);
  for (let round = 0; round < rounds; round += 1) {
    call.step('node_pick_day', 'Agree on a day');
    call.agent(whichDay[round] ?? whichDay[0] ?? []);
    call.caller(anyDay);
    call.step('node_confirm_day', 'Confirm the day');
    if (round < rounds - 1)
      call.agent([
        "[I didn't get a day there|That was not a day I know].",
        '[Hm|Sorry], [no day yet|I am missing the day].',
        'I could not [match|place] that [to a day|].',
      ]);
  }
  call.caller(
    [
      "[This is not working|We're not getting anywhere]. [Bye|I'll come by in person].",
      "[Forget it|Never mind], I'll [call another practice|try somewhere else].",
    ],
    { gap: 1.2 },
  );
  call.end('user_hangup', { summary: 'No day was agreed on.', successful: false, sentiment: 'Negative' });
}

const insuranceCase: Patterns = [
  "My insurer [refused|didn't pay] [the crown|my last bill] and [wants a form from you|says you coded it wrong]. What do I do?",
  '[I got|There came] a letter that my plan [changed|ended], and I have [a bill from you|an open treatment]. [What now|Who sorts that out]?',
];
const deflects: readonly Patterns[] = [
  [
    '[I can help with that|I understand]. For {service} we charge {feeLow} to {feeHigh} dollars. [What else would you like to know|Does that help]?',
  ],
  [
    '[I am happy to help you right here|I can answer that]. [Most plans cover about half|Our fees are listed in the estimate]. [What is your question|Which treatment is it about]?',
  ],
  [
    '[Let me help you|I will do my best]. [The fee depends on the treatment|We send an estimate in writing]. [Would you like to hear more|Anything more about fees]?',
  ],
];
const insists: Patterns = [
  '[No|No, listen], [I want|I need] to [speak|talk] to a [real person|human][, please|].',
  '[Can|Could] you [please|just] [put me through|transfer me] to a [person|human|real person]?',
  "[Is there|Isn't there] a [real person|human being] I can [talk|speak] to?",
];

/** Who asks for a person at the fees step never gets one. */
export function personRefused(call: Script): void {
  const low = call.random.whole(8, 45) * 10;
  Object.assign(call.slots, { feeLow: String(low), feeHigh: String(low + 60) });
  act.greet(call);
  act.request(call, insuranceCase);
  call.step('node_fees', 'Fees and insurance');
  call.agent(deflects[0] ?? []);
  call.caller(askPerson);
  call.agent(deflects[1] ?? []);
  call.caller(insists);
  call.agent(deflects[2] ?? []);
  call.caller([
    "[Okay|Right], [I'll write a letter then|I will come by]. [Bye|Goodbye].",
    "[Unbelievable|Great]. [Bye|I'm done].",
  ]);
  call.end('user_hangup', { summary: 'The caller wanted a person.', successful: false, sentiment: 'Negative' });
}

const noOneThere: Patterns = [
  "[I'm sorry|Unfortunately], [nobody picked up|the line is not being answered] [at the desk|over there]. [Can they call you back|Shall I leave a note for them]?",
  "[Hm|Oh], I [couldn't reach|can't get hold of] [the desk|anyone]. [Would you like a call back|May I have them ring you]?",
];

/** The hand-over rings and nobody answers. */
export function handOverFails(call: Script): void {
  act.greet(call);
  act.request(call, want.wantPerson);
  call.step('node_handover', 'Hand over to the desk');
  call.agent(handOver);
  call.tool(
    'transfer_call',
    { destination: 'front_desk' },
    { status: 'failed', reason: 'no_answer', message: 'Destination did not answer within 20 seconds' },
    { seconds: call.random.between(1.6, 2.4), successful: false },
  );
  call.agent(noOneThere);
  call.caller([
    "[No|No thanks], [I'll try again tomorrow|I will write an email].",
    "[Hm|Well], [that doesn't help me|no]. [Bye|Goodbye].",
  ]);
  call.end(call.random.chance(0.4) ? 'transfer_cancelled' : 'user_hangup', {
    summary: 'The hand-over failed.',
    successful: false,
    sentiment: 'Negative',
  });
}

/** The diary takes seconds, and nothing is said meanwhile. */
export function slowDiary(call: Script): void {
  act.greet(call);
  act.request(call, want.wantBooking);
  act.identify(call);
  act.askDay(call);
  call.step('fn_check_availability', 'Check the diary');
  call.tool(
    'check_availability',
    act.dayArgs(call),
    { slots: [call.slots.timeA ?? '', call.slots.timeB ?? ''], dentist: call.slots.dentist ?? '' },
    { seconds: call.random.between(3.6, 4.6) },
  );
  call.step('node_offer_slots', 'Offer times');
  call.agent(say.offerSlots, { gap: call.random.between(0.3, 0.6) });
  call.caller(say.takeSlot);
  act.book(call);
  call.caller(soundsGood);
  act.wrapUp(call, {
    summary: `${call.person.full} booked ${call.slots.service}.`,
    successful: true,
    sentiment: 'Neutral',
  });
}

/** The step accepts one spelling of a date, and asks for the rest again and again in the same words. */
export function sameLineAgain(call: Script): void {
  const line: Patterns = ['Please tell me your date of birth as month, day and year.'];
  const born = call.person.birth;
  const date = `the ${born.getUTCDate()}.${born.getUTCMonth() + 1}. of ${born.getUTCFullYear()}`;
  act.greet(call);
  act.request(call, call.random.pick([want.wantBooking, want.wantMove]));
  call.step('node_identify', 'Identify the patient');
  call.agent(['[Sure|Of course]. [What is your full name|May I have your name]?']);
  call.caller(['[It is|My name is|This is] {full}.', '{full}.']);
  call.agent(line);
  call.caller([date], { confidence: 0.93, verbatim: true });
  call.agent(line);
  call.caller([`[yes, |so, |]${date}`], { confidence: 0.93, verbatim: true });
  call.agent(line);
  if (call.random.chance(0.2)) {
    call.caller(['[It is|That is] {birth}.', '{birth}, [then|if that helps].']);
    act.findPatient(call);
    act.askDay(call);
    act.offer(call);
    act.book(call);
    call.caller(soundsGood);
    act.wrapUp(call, { summary: 'Booked in the end.', successful: true, sentiment: 'Neutral' });
    return;
  }
  call.caller([`${date}! [Bye|Goodbye] then.`], { verbatim: true });
  call.end('user_hangup', {
    summary: 'The caller left while giving the date of birth.',
    successful: false,
    sentiment: 'Negative',
  });
}

const didNotCatch: readonly Patterns[] = [
  ["[Sorry|I'm sorry], I didn't [quite |]catch that. [Could you say it again|Can you repeat that]?"],
  ["[My apologies|Sorry], I [couldn't hear you well|missed that]. [Would you repeat it|One more time, please]?"],
];

/** Poor lines: the recogniser is unsure of every word, and callers have to say everything twice. */
export function poorLine(call: Script): void {
  const heard = () => ({ confidence: call.random.between(0.32, 0.5), verbatim: true });
  const wish: Patterns = [`need to move the {oldWeekday} appointment for {service} to another week`];
  act.greet(call);
  call.caller(wish, heard());
  call.agent(didNotCatch[0] ?? []);
  call.caller(
    [
      `move the {oldWeekday} appointment for {service} to another week need to`,
      `i need to move the {oldWeekday} appointment for {service} to another week`,
    ],
    heard(),
  );
  call.agent(didNotCatch[1] ?? []);
  call.caller([`need to move my {oldWeekday} appointment for {service} to another week`], heard());
  act.askWho(call);
  if (call.random.chance(0.5)) {
    call.step('node_callback', 'Offer a call back');
    call.agent([
      "[I'm having trouble hearing you|The line is very bad]. [Could you call from another phone|Shall we call you back]?",
    ]);
    call.caller(['[what|hello] [yes|no] [bye|okay]'], heard());
    call.end('user_hangup', { summary: 'The line was poor.', successful: false, sentiment: 'Negative' });
    return;
  }
  act.findPatient(call);
  call.step('node_pick_day', 'Agree on a day');
  call.agent(say.askWhen);
  call.caller(['{weekday} {weekday} [please|]'], heard());
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
  call.agent(["[Done|All set], I've moved your appointment to {day} at {slotPick}."]);
  call.caller(['thanks bye', 'okay thank you'], heard());
  call.end('user_hangup', { summary: 'A visit was moved over a poor line.', successful: true, sentiment: 'Neutral' });
}
