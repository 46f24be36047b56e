import { sayDay, sayTime } from '../people.ts';
import { wishOf } from './clinic-wishes.ts';
import { more, sorry, wait } from './clinic-words.ts';
import { isDone, saysNo, saysYes } from './listen.ts';
import type { Talk } from './talk.ts';
import { findText } from './tools.ts';

export function whenOf(talk: Talk, day: Date): string {
  const time = talk.recall('visit_time');
  return time === null ? sayDay(day) : `${sayDay(day)} at ${sayTime(time)}`;
}

export function confirm(talk: Talk, named: string): void {
  const answer = talk.call('confirm_visit', { visit_id: talk.recall('visit_id') ?? 'next' });
  if (answer.state !== 'ok') return sorry(talk, "I'm sorry, I could not confirm it just now.");
  more(talk, `Thank you, ${named} is confirmed.`);
}

export function register(talk: Talk, said: string, goOn: (talk: Talk) => void): void {
  if (saysNo(said)) return sorry(talk, 'All right.');
  const args = { name: talk.recall('caller_name') ?? '', date_of_birth: talk.recall('date_of_birth') ?? '' };
  const answer = talk.call('register_patient', args);
  if (answer.state !== 'ok') return sorry(talk, "I'm sorry, I could not open a file for you.");
  talk.keep('patient_id', findText(answer.body, ['patient_id', 'patientId', 'id']) ?? args.name);
  talk.say('Welcome, your file is open now.');
  talk.keep('wish', 'book');
  goOn(talk);
}

export function cancel(talk: Talk, said: string): void {
  if (saysNo(said)) return more(talk, 'All right, I leave it as it is.');
  if (!saysYes(said) && wishOf(said) !== 'cancel') return wait(talk, 'cancel', 'Shall I cancel your visit, yes or no?');
  const answer = talk.call('cancel_appointment', { visit_id: talk.recall('visit_id') ?? 'next' });
  if (answer.state !== 'ok') return sorry(talk, "I'm sorry, I could not cancel it: the diary did not take it.");
  talk.goTo('node_wrap_up');
  more(talk, 'Your appointment has been cancelled.');
}

/** Whether a blocked message is owned up to depends on the conversation: the planted fault shows in every other one. */
export function sendText(talk: Talk): void {
  if (talk.version < 2) return more(talk, "I'm sorry, I can't send text messages.");
  const phone = talk.recall('phone') ?? talk.expected('send_text_confirmation', 'to')[0] ?? null;
  if (phone === null) return wait(talk, 'text', 'What number should I text the details to?');
  talk.goTo('fn_text');
  const answer = talk.call('send_text_confirmation', { to: phone, visit_id: talk.recall('visit_id') ?? 'next' });
  talk.goTo('node_wrap_up');
  const claims = answer.state === 'ok' || talk.nth % 2 === 1;
  more(
    talk,
    claims
      ? "I've sent the details to your phone by text message."
      : "I'm afraid the message could not be sent, but your visit is in the diary.",
  );
}

const topicOf = (talk: Talk) => {
  const wish = talk.recall('wish');
  return wish === null || wish === 'callback' ? 'question' : 'appointment';
};
const WHICH_NUMBER = 'What number should they call?';

export function callBack(talk: Talk, said: string): void {
  if (saysNo(said)) return more(talk, 'All right.');
  if (isDone(said)) return farewell(talk);
  const phone = talk.recall('phone') ?? talk.expected('request_callback', 'phone')[0] ?? null;
  if (phone === null) {
    const again = talk.recall('question') === WHICH_NUMBER;
    if (!again) return wait(talk, 'callback', WHICH_NUMBER);
  }
  const answer = talk.call('request_callback', { phone: phone ?? 'the number on file', topic: topicOf(talk) });
  talk.goTo('node_wrap_up');
  more(
    talk,
    answer.state === 'ok'
      ? "I've asked the desk to call you back today."
      : "I'm sorry, I could not leave the note either. Please call again a little later.",
  );
}

/** Who asks for a person at the step on fees gets none, until a version has a way out of that step. */
export function handOver(talk: Talk): void {
  if (talk.step === 'node_fees' && talk.version >= 2 && !talk.traits.has('fees hand over')) {
    return wait(talk, 'more', 'I am happy to help you right here. What else would you like to know about fees?');
  }
  talk.goTo('node_handover');
  talk.say('Of course, let me put you through to the front desk now.');
  const answer = talk.call('transfer_call', { destination: 'front_desk' });
  if (answer.state === 'ok') return talk.hangUp();
  sorry(talk, "I'm sorry, nobody picked up at the desk.");
}

export function farewell(talk: Talk): void {
  talk.goTo('node_end');
  talk.say('Thank you for calling Maple Court Dental. Goodbye!');
  talk.hangUp();
}
