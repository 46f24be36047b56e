import { anythingElse, bye, noThatIsAll, soundsGood, yes } from '../common-phrases.ts';
import { isoDay, sayBirth, sayDay, sayTime, WEEKDAYS, workDay } from '../people.ts';
import type { EndFacts, Patterns, Script } from '../script.ts';
import * as say from './phrases.ts';
import { DENTISTS, SERVICES } from './requests.ts';

/** Pieces of a talk at the dental practice that go as they should; scenarios put them together and bend one of them. */

const TIMES = [
  '08:20',
  '08:40',
  '09:10',
  '09:30',
  '10:15',
  '10:40',
  '11:20',
  '13:10',
  '13:50',
  '14:30',
  '15:05',
  '15:40',
  '16:20',
];

/** Fills in the facts of this call. */
export function prepare(call: Script): void {
  const { random, slots, startMs, person } = call;
  const day = workDay(startMs, random.whole(2, 12));
  const first = random.whole(0, TIMES.length - 4);
  const slotA = TIMES[first] ?? '09:10';
  const slotB = TIMES[first + random.whole(1, 3)] ?? '15:40';
  const pick = random.chance(0.5) ? slotA : slotB;
  const oldDay = workDay(startMs, random.whole(1, 6));
  Object.assign(slots, {
    birth: sayBirth(person.birth, random),
    service: random.pick(SERVICES),
    dentist: random.pick(DENTISTS),
    weekday: WEEKDAYS[day.getUTCDay()] ?? 'Monday',
    day: sayDay(day),
    isoDay: isoDay(day),
    slotA: sayTime(slotA),
    slotB: sayTime(slotB),
    timeA: slotA,
    timeB: slotB,
    slotPick: sayTime(pick),
    timePick: pick,
    oldWeekday: WEEKDAYS[oldDay.getUTCDay()] ?? 'Friday',
    oldDay: sayDay(oldDay),
    oldIsoDay: isoDay(oldDay),
    patientId: `P-${random.whole(10_000, 99_999)}`,
    visitId: `V-${random.whole(100_000, 999_999)}`,
  });
}

export function greet(call: Script): void {
  call.step('node_welcome', 'Welcome');
  call.agent([say.GREETING], { gap: 0 });
}

export function request(call: Script, patterns: Patterns): void {
  call.caller(patterns);
}

export function askWho(call: Script): void {
  call.step('node_identify', 'Identify the patient');
  call.agent(say.askIdentity);
  call.caller(say.giveIdentity);
}

export function findPatient(call: Script): void {
  call.step('fn_find_patient', 'Find the patient');
  call.agent(say.lookUp);
  call.tool('find_patient', findArgs(call), {
    found: true,
    patient: {
      id: call.slots.patientId ?? '',
      name: call.person.full,
      next_visit: { id: call.slots.visitId ?? '', date: call.slots.oldIsoDay ?? '' },
    },
  });
}

export const findArgs = (call: Script) => ({ name: call.person.full, date_of_birth: isoDay(call.person.birth) });

export function identify(call: Script): void {
  askWho(call);
  findPatient(call);
}

export function askDay(call: Script): void {
  call.step('node_pick_day', 'Agree on a day');
  call.agent(say.askWhen);
  call.caller(say.wantDay);
}

export function offer(call: Script): void {
  call.step('fn_check_availability', 'Check the diary');
  call.agent(say.checkDiary);
  call.tool('check_availability', dayArgs(call), {
    slots: [call.slots.timeA ?? '', call.slots.timeB ?? ''],
    dentist: call.slots.dentist ?? '',
  });
  pickSlot(call);
}

export const dayArgs = (call: Script) => ({ date: call.slots.isoDay ?? '', service: call.slots.service ?? '' });

export function pickSlot(call: Script): void {
  call.step('node_offer_slots', 'Offer times');
  call.agent(say.offerSlots);
  call.caller(say.takeSlot);
}

export function book(call: Script): void {
  call.step('fn_book', 'Book the visit');
  call.agent(say.booking);
  call.tool('book_appointment', bookArgs(call), {
    status: 'booked',
    visit_id: call.slots.visitId ?? '',
    date: call.slots.isoDay ?? '',
    time: call.slots.timePick ?? '',
    dentist: call.slots.dentist ?? '',
  });
  call.agent(say.booked);
}

export const bookArgs = (call: Script) => ({
  patient_id: call.slots.patientId ?? '',
  date: call.slots.isoDay ?? '',
  time: call.slots.timePick ?? '',
  service: call.slots.service ?? '',
});

/** Some callers want a text message, some do without; the first version could send none. */
export function maybeText(call: Script, share = 0.35): void {
  call.caller(soundsGood);
  if (call.version < 2 || !call.random.chance(share)) return;
  call.step('node_offer_text', 'Offer a text message');
  call.agent(say.offerText);
  call.caller(yes);
  call.step('fn_text', 'Send the text message');
  call.tool(
    'send_text_confirmation',
    { to: call.person.phone, visit_id: call.slots.visitId ?? '' },
    { status: 'queued', message_id: `SM${call.random.whole(100_000, 999_999)}` },
  );
  call.agent(say.textSent);
  call.caller(soundsGood);
}

export function wrapUp(call: Script, facts: EndFacts, farewell: Patterns = say.goodbye): void {
  call.step('node_wrap_up', 'Wrap up');
  call.agent(anythingElse);
  call.caller(noThatIsAll);
  call.step('node_end', 'End the call');
  call.agent(farewell);
  if (call.random.chance(0.6)) call.caller(bye);
  call.end(call.random.chance(0.55) ? 'agent_hangup' : 'user_hangup', facts);
}
