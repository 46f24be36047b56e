import { isJsonObject } from '../../../src/domain/json.ts';
import { sorry, wait } from './clinic-words.ts';
import { readBirth } from './days.ts';
import { readName } from './names.ts';
import type { Talk } from './talk.ts';
import { findObject, findText, findTimes, type ToolAnswer } from './tools.ts';

/** Name and date of birth, whenever the caller tells them. */
export function readIdentity(talk: Talk, said: string): void {
  const wanted = talk.recall('asked') === 'identity' && talk.recall('caller_name') === null;
  const name = readName(said, wanted);
  if (name !== null && (wanted || talk.recall('patient_id') === null)) talk.keep('caller_name', name);
  const birth = readBirth(said, talk.nowMs);
  if (birth !== null) talk.keep('date_of_birth', birth);
}

/** Makes sure that the patient is known, then goes on. */
export function askForFile(talk: Talk, goOn: (talk: Talk) => void): void {
  if (talk.recall('patient_id') !== null) return goOn(talk);
  talk.goTo('node_identify');
  withFile(talk, goOn);
}

export function withFile(talk: Talk, goOn: (talk: Talk) => void): void {
  const [name, birth] = [talk.recall('caller_name'), talk.recall('date_of_birth')];
  if (name === null && birth === null) {
    return wait(talk, 'identity', 'Happy to help. May I have your full name and date of birth, please?');
  }
  if (name === null) return wait(talk, 'identity', 'Thank you. And your full name, please?');
  if (birth === null) return wait(talk, 'identity', 'Please tell me your date of birth as month, day and year.');
  const answer = lookUp(talk, { name, date_of_birth: birth });
  if (answer.state === 'ok') {
    keepFile(talk, answer, name);
    return goOn(talk);
  }
  if (answer.state === 'refused') {
    talk.goTo('node_register');
    return wait(talk, 'register', `I can't find a file for ${name}. Shall I open one for you?`);
  }
  sorry(talk, "I'm sorry, I can't get into the files right now.");
}

/** A version that gives the look-up little time does not try it again. */
function lookUp(talk: Talk, args: { name: string; date_of_birth: string }): ToolAnswer {
  talk.goTo('fn_find_patient');
  talk.say('Thank you, one moment while I find your file.');
  const answer = talk.call('find_patient', args);
  const isAbsent = isJsonObject(answer.body) && answer.body.error === 'not_available';
  const isImpatient = talk.version < 3 || talk.traits.has('impatient look-up');
  if (answer.state !== 'failed' || isAbsent || isImpatient) return answer;
  talk.say('One more moment, please, this is taking a little longer.');
  return talk.call('find_patient', args);
}

function keepFile(talk: Talk, { body }: ToolAnswer, name: string): void {
  const patient = findObject(body, ['patient', 'patients', 'results', 'matches']) ?? body;
  talk.keep('patient_id', findText(patient, ['patient_id', 'patientId', 'id']) ?? name);
  const visit = findObject(body, ['next_visit', 'visit', 'appointment', 'next_appointment', 'visits', 'appointments']);
  const ids = ['visit_id', 'visitId', 'appointment_id', 'appointmentId'];
  talk.keep('visit_id', (visit && findText(visit, [...ids, 'id'])) ?? findText(body, ids));
  talk.keep(
    'visit_date',
    visit === null ? findText(body, ['next_visit', 'visit_date']) : findText(visit, ['date', 'day']),
  );
  talk.keep('visit_time', visit === null ? null : (findTimes(visit)[0] ?? null));
}
