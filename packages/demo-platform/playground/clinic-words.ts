import type { Talk } from './talk.ts';

/** Says something and waits for the answer to it. */
export function wait(talk: Talk, asked: string, words: string): void {
  talk.keep('asked', asked);
  talk.keep('question', words);
  talk.say(words);
}

/** Something is done: what was only for it is forgotten. */
export function more(talk: Talk, words: string): void {
  for (const name of ['day', 'time', 'offered', 'checked_day']) talk.keep(name, null);
  wait(talk, 'more', `${words} Is there anything else I can do for you?`);
}

/** Something did not work: the desk may call back. */
export function sorry(talk: Talk, what: string): void {
  talk.goTo('node_callback');
  wait(talk, 'callback', `${what} May I have someone from the desk call you back?`);
}
