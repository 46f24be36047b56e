import { GREETING } from '../clinic/phrases.ts';
import { sayDay } from '../people.ts';
import * as act from './clinic-acts.ts';
import { answerQuestion, looksLikeQuestion } from './clinic-answers.ts';
import { offerDay, takeTime } from './clinic-diary.ts';
import { askForFile, readIdentity, withFile } from './clinic-file.ts';
import { type ClinicWish, serviceOf, wishOf } from './clinic-wishes.ts';
import { more, wait } from './clinic-words.ts';
import { parseDay, readDay } from './days.ts';
import { asksForPerson, isDone, readPhone, saysBye, saysNo, saysYes } from './listen.ts';
import type { Talk } from './talk.ts';
import { readTimes } from './times.ts';

/**
 * The reception agent of the dental practice as its flow has it, by rules. What was understood stays in variables, so
 * that the conversation needs no memory of the platform; `asked` says what the agent waits for.
 */
export function answerAtClinic(talk: Talk): void {
  const { said } = talk;
  if (said === null) {
    talk.goTo('node_welcome');
    talk.keep('asked', 'wish');
    talk.say(talk.greeting ?? GREETING);
    return;
  }
  if (talk.step === null) talk.goTo('node_welcome');
  hear(talk, said);
  const asked = talk.recall('asked') ?? 'wish';
  if (asksForPerson(said)) return act.handOver(talk);
  if (saysBye(said) && !namesWish(said)) return act.farewell(talk);
  if (asked !== 'wish' && asked !== 'more') {
    if (changesMind(talk, said)) return begin(talk, wishOf(said) ?? 'book', said);
    if (looksLikeQuestion(said)) return answerQuestion(talk, said, asked);
  }
  switch (asked) {
    case 'identity':
      return withFile(talk, goOn);
    case 'register':
      return act.register(talk, said, goOn);
    case 'day':
      return offerDay(talk);
    case 'time':
      return takeTime(talk);
    case 'cancel':
      return act.cancel(talk, said);
    case 'callback':
      return act.callBack(talk, said);
    case 'offered text':
      if (saysYes(said) && !isDone(said)) return act.sendText(talk);
      talk.goTo('node_wrap_up');
      return hearWish(talk, said, true);
    case 'text':
      return saysNo(said) ? more(talk, 'No problem.') : act.sendText(talk);
    case 'waiting list':
      if (talk.recall('day') !== talk.recall('checked_day')) return offerDay(talk);
      talk.goTo('node_wrap_up');
      return more(talk, saysNo(said) ? 'No problem.' : "I've put you on the waiting list.");
    default:
      return hearWish(talk, said, asked === 'more');
  }
}

/** Keeps what the caller tells, whenever it is told. */
function hear(talk: Talk, said: string): void {
  readIdentity(talk, said);
  const service = serviceOf(said);
  if (service !== null) talk.keep('service', service);
  const asked = talk.recall('asked');
  const isOldDay = asked === 'wish' && ['cancel', 'move', 'confirm', 'when'].includes(wishOf(said) ?? '');
  const known = ['check_availability', 'book_appointment', 'move_appointment'].flatMap((tool) =>
    talk.expected(tool, 'date'),
  );
  const day = readDay(isOldDay ? newDayIn(said) : said, talk.nowMs, known);
  if (day !== null) talk.keep('day', day.iso);
  const time = readTimes(said, false).find((one) => one >= '07:00' && one <= '19:00');
  if (time !== undefined && asked !== 'time') talk.keep('time', time);
  const phone = readPhone(said);
  if (phone !== null) talk.keep('phone', phone);
}

/** "From Friday to Tuesday": what stands behind the last "to", where that is no part of the wish itself. */
function newDayIn(said: string): string {
  const at = said.toLowerCase().lastIndexOf(' to ');
  const behind = at < 0 ? '' : said.slice(at + 4);
  const isWish = /^(move|cancel|change|reschedule|push|shift|postpone|make|drop)\b|\b(appointment|visit)\b/i.test(
    behind,
  );
  return isWish ? '' : behind;
}

const namesWish = (said: string) => ['cancel', 'move', 'book', 'emergency'].includes(wishOf(said) ?? '');

/** "Actually, cancel it instead": another wish in the middle of one, said as such. */
function changesMind(talk: Talk, said: string): boolean {
  const wish = wishOf(said);
  if (wish === null || wish === talk.recall('wish')) return false;
  return /\b(actually|instead|rather|changed my mind|wait)\b/i.test(said) && namesWish(said);
}

function hearWish(talk: Talk, said: string, again: boolean): void {
  const wish = wishOf(said);
  if (again && wish === null) {
    if (isDone(said)) return act.farewell(talk);
    if (saysYes(said) && /^\W*(yes|yeah|yep|please)\W*$/i.test(said)) return wait(talk, 'wish', 'Sure, what can I do?');
    if (talk.recall('may want text') === 'yes' && talk.version >= 2) {
      talk.keep('may want text', null);
      talk.goTo('node_offer_text');
      return wait(talk, 'offered text', 'Would you like a text message with the details?');
    }
    const thanked = Number(talk.recall('thanked') ?? 0) + 1;
    talk.keep('thanked', String(thanked));
    return thanked > 1
      ? act.farewell(talk)
      : wait(talk, 'more', "You're welcome. Is there anything else I can do for you?");
  }
  if (again && isDone(said) && !namesWish(said) && wish !== 'text') return act.farewell(talk);
  if (wish !== null) return begin(talk, wish, said);
  if (saysYes(said) && talk.expected('confirm_visit', 'visit_id').length > 0) return begin(talk, 'confirm', said);
  const missed = Number(talk.recall('missed') ?? 0) + 1;
  talk.keep('missed', String(missed));
  if (missed > 2) return act.handOver(talk);
  wait(talk, 'wish', 'I can book, move or cancel a visit, or answer a question. What would you like to do?');
}

function begin(talk: Talk, wish: ClinicWish, said: string): void {
  talk.keep('thanked', null);
  talk.keep('wish', wish === 'emergency' ? 'book' : wish);
  switch (wish) {
    case 'person':
      return act.handOver(talk);
    case 'policy':
    case 'fees':
    case 'info':
      return answerQuestion(talk, said, 'more');
    case 'text':
      return act.sendText(talk);
    case 'callback':
      talk.goTo('node_callback');
      return act.callBack(talk, 'yes');
    case 'emergency':
      talk.keep('service', 'an emergency visit');
      if (talk.recall('day') === null || /\btoday\b/i.test(said)) {
        const [today = readDay('today', talk.nowMs)?.iso ?? null] = talk.expected('check_availability', 'date');
        talk.keep('day', today);
      }
      talk.say("I'm sorry to hear that. We keep time for emergencies.");
      return askForFile(talk, goOn);
    case 'confirm': {
      // Who answers a reminder is known by the number that was rung.
      const [visit] = talk.expected('confirm_visit', 'visit_id');
      if (visit === undefined || talk.expected('find_patient', 'name').length > 0) return askForFile(talk, goOn);
      talk.keep('visit_id', visit);
      talk.goTo('node_reminder');
      return act.confirm(talk, 'your visit');
    }
    case 'book':
    case 'move':
    case 'cancel':
    case 'when':
      return askForFile(talk, goOn);
    default:
      return wish satisfies never;
  }
}

/** The patient is known: on with what was wished for. */
function goOn(talk: Talk): void {
  const visitDay = parseDay(talk.recall('visit_date') ?? '');
  const named = visitDay === null ? 'your visit' : `your visit on ${sayDay(visitDay)}`;
  const wish = talk.recall('wish');
  if (wish === 'confirm') return act.confirm(talk, named);
  if (wish === 'cancel') {
    talk.goTo('fn_cancel');
    return wait(talk, 'cancel', `I see ${named}. Shall I cancel it?`);
  }
  if (wish === 'when') {
    talk.goTo('node_wrap_up');
    return more(
      talk,
      visitDay === null ? 'I see no visit in the diary.' : `You are down for ${act.whenOf(talk, visitDay)}.`,
    );
  }
  talk.goTo('node_pick_day');
  if (talk.recall('day') !== null) return offerDay(talk);
  wait(talk, 'day', 'Which day would suit you?');
}
