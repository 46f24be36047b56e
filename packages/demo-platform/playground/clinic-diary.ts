import { sayDay, sayTime } from '../people.ts';
import { ANY_SERVICE } from './clinic-wishes.ts';
import { more, sorry, wait } from './clinic-words.ts';
import { nextWorkDay, parseDay } from './days.ts';
import { saysNo } from './listen.ts';
import type { Talk } from './talk.ts';
import { pickOffered, readTimes } from './times.ts';
import { findText, findTimes } from './tools.ts';

/** Looks at the wished day, or asks for one. Without a named day two steps lead to each other, from version 2 on. */
export function offerDay(talk: Talk): void {
  if (talk.recall('day') === null && talk.version < 2) talk.keep('day', nextWorkDay(talk.nowMs));
  const day = talk.recall('day');
  if (day === null) {
    talk.goTo('node_confirm_day');
    talk.say('I did not get a day there.');
    talk.goTo('node_pick_day');
    return wait(talk, 'day', 'I need one day for the diary: which day should it be?');
  }
  talk.goTo('fn_check_availability');
  if (talk.version < 3 || talk.traits.has('diary announced')) talk.say('Let me check the diary for you, one moment.');
  // What a visit that is moved was for stands in the file.
  const [service = ANY_SERVICE] = [talk.recall('service') ?? [], talk.expected('check_availability', 'service')].flat();
  const answer = talk.call('check_availability', { date: day, service });
  talk.keep('checked_day', day);
  if (answer.state === 'failed') return sorry(talk, "I'm sorry, I can't see the diary right now.");
  if (answer.state === 'refused') {
    talk.goTo('node_waiting_list');
    const full = `I'm afraid nothing is free on ${saidDay(day)}.`;
    return wait(talk, 'waiting list', `${full} Shall I put you on the waiting list, or would you like another day?`);
  }
  const free = findTimes(answer.body);
  const wished = talk.recall('time');
  talk.keep('offered', free.join(','));
  if (wished !== null && (free.length === 0 || free.includes(wished))) return bookOrMove(talk, wished);
  talk.goTo('node_offer_slots');
  if (free.length === 0) return wait(talk, 'time', `${saidDay(day)} is possible. What time would suit you?`);
  const dentist = findText(answer.body, ['dentist', 'with', 'doctor']);
  const taken = wished === null ? '' : `${sayTime(wished)} is taken. `;
  wait(
    talk,
    'time',
    `${taken}On ${saidDay(day)} I have ${named(free)}${dentist === null ? '' : ` with ${dentist}`}. Which do you want?`,
  );
}

/** The caller was offered times. */
export function takeTime(talk: Talk): void {
  const said = talk.said ?? '';
  if (talk.recall('day') !== talk.recall('checked_day')) return offerDay(talk);
  const free = (talk.recall('offered') ?? '').split(',').filter(Boolean);
  const time = free.length > 0 ? pickOffered(said, free) : (readTimes(said)[0] ?? null);
  if (time !== null) return bookOrMove(talk, time);
  if (saysNo(said) || /\b(another|different|other) day\b/i.test(said)) {
    talk.keep('day', null);
    talk.goTo('node_pick_day');
    return wait(talk, 'day', 'Which other day would suit you?');
  }
  const what = free.length > 0 ? `I have ${named(free)}. Which one shall I take?` : 'What time would suit you?';
  wait(talk, 'time', readTimes(said).length > 0 ? `I'm sorry, that time is not free. ${what}` : what);
}

function bookOrMove(talk: Talk, time: string): void {
  const isMove = talk.recall('wish') === 'move';
  const day = talk.recall('day') ?? '';
  talk.goTo(isMove ? 'fn_move' : 'fn_book');
  const answer = isMove
    ? talk.call('move_appointment', { visit_id: talk.recall('visit_id') ?? 'next', date: day, time })
    : talk.call('book_appointment', {
        patient_id: talk.recall('patient_id') ?? '',
        date: day,
        time,
        service: talk.recall('service') ?? ANY_SERVICE,
      });
  if (answer.state === 'refused') {
    talk.keep('time', null);
    talk.goTo('node_pick_day');
    return wait(talk, 'day', "I'm sorry, that time is gone now. Which other day would suit you?");
  }
  // The versions before the third say that a visit is booked before they look at what the diary answered.
  if (answer.state === 'failed' && (isMove || talk.version >= 3)) {
    return sorry(talk, `I'm sorry, I could not ${isMove ? 'move' : 'book'} it: the diary did not take it.`);
  }
  talk.keep(
    'visit_id',
    findText(answer.body, ['visit_id', 'visitId', 'appointment_id', 'id']) ?? talk.recall('visit_id'),
  );
  talk.goTo('node_wrap_up');
  const at = `${saidDay(findText(answer.body, ['date', 'day']) ?? day)} at ${sayTime(findTimes(answer.body)[0] ?? time)}`;
  const dentist = findText(answer.body, ['dentist', 'doctor']);
  const withWhom = dentist === null ? '' : ` with ${dentist}`;
  talk.keep('may want text', 'yes');
  more(talk, isMove ? `Done, I've moved your appointment to ${at}.` : `You're booked for ${at}${withWhom}.`);
}

function saidDay(iso: string): string {
  const day = parseDay(iso);
  return day === null ? iso : sayDay(day);
}

const named = (times: readonly string[]) => times.slice(0, 2).map(sayTime).join(' or ');
