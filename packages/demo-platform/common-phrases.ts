import type { Patterns } from './script.ts';

/** Acts that both demo agents and their callers share. */
export const anythingElse: Patterns = [
  '[Is there|Was there] anything else [I can do for you|you need|I can help with|on your mind|we should look at] [today|while I have you here|]?',
  '[Can I|May I|Could I] [help you with|do] anything else [for you |]?',
  '[What else can I do for you|Anything more I can take care of|Any other questions for me] [today|right now|]?',
  '[Do you need|Would you like] anything else [from me|from us|] [today|right now|at the moment|]?',
  '[Is|Was] that everything [for today|for now|you wanted to sort out|you called about]?',
  '[And besides that|Apart from that], [is there more I can do|anything further|do you have other questions]?',
  '[Shall we look at anything else|Can I be of help with something else|Something else I should take care of]?',
];

export const noThatIsAll: Patterns = [
  "[No|Nope|No thanks], that's [all|everything|it] [for me|for today|].",
  "No, I'm [all set|good], [thank you|thanks] [so much|very much|].",
  "That's [everything|all I needed], [thanks|thank you|cheers].",
  "Nothing else, [thanks for your help|thank you|you've been great].",
  'No, that [covers it|was it|does it]. [Thanks|Thank you] [a lot|].',
  "I think that's it. [Thanks again|Thank you|Appreciate it].",
];

export const bye: Patterns = [
  '[Okay|Alright|Great], [bye|bye-bye|goodbye].',
  '[You too|Same to you], [bye|bye now|take care].',
  '[Bye|Goodbye|Bye-bye][ then| now|].',
  'Thanks, [bye|have a good one|take care].',
];

export const yes: Patterns = [
  "[Yes|Yeah|Yep|Yes please|Sure], [that's right|that is correct|go ahead|please do].",
  "[That's right|Correct|Exactly][, yes|, yeah|].",
  '[Yes|Yeah], [please|perfect|that would be great|sounds good].',
  "[Mm-hm|Uh-huh|Yup], [that's me|that's the one|that's right].",
];

export const soundsGood: Patterns = [
  "[Great|Perfect|Lovely|Brilliant|Wonderful], [that works|that's good for me|thank you].",
  '[Sounds good|That works for me|Okay, great][, thanks|].',
  '[Oh good|Super|Excellent]. [Thank you|Thanks][ so much|].',
  "[Okay|Alright], [that's fine|that's perfect|good]. [Thank you|Thanks].",
];

export const wrongNumber: Patterns = [
  '[Oh, sorry|Sorry], I think I [have|dialled|got] the wrong number. I was [after|trying to reach] [the bakery on Fifth|my bank|the car workshop|a friend].',
  "[Oh|Ah], this isn't [the pharmacy|the town hall|Martin]? [Sorry|My mistake], wrong number.",
];

export const askPerson: Patterns = [
  'Can I [speak|talk] to a [real person|person|human], please?',
  "[I'd like|I'd prefer|I want] to [speak|talk] to [somebody|someone] [at the desk|in the office|who works there][, please|].",
  'Could you [put me through|transfer me|connect me] to a [person|receptionist|human]?',
  '[Is there|Do you have] a [person|human] I can [talk|speak] to[ about this| instead|]?',
];
