import type { Patterns } from '../script.ts';

/** What the reception agent of the dental practice says. The greeting is fixed text in its flow, as such greetings are. */
export const GREETING = 'Thank you for calling Maple Court Dental, this is Robin. How can I help you today?';

export const askIdentity: Patterns = [
  '[Happy to help|Of course|Sure thing|Absolutely]. [Could|Can|May] I [have|get|take] your [full name|first and last name] and date of birth[, please|]?',
  '[I can help with that|Let me help you with that|No problem]. [What is|Could you tell me] the [full name|name on the file] and [the date of birth|your date of birth]?',
  '[Certainly|Gladly|Sure]. [First|To begin], [who am I speaking with|may I have your name], and what is your date of birth?',
  "[Alright|Okay], let's [get that sorted|take care of that]. Your name and date of birth[, please|]?",
];

export const giveIdentity: Patterns = [
  "[It's|This is|My name is|I'm] {full}, [and my birthday is|born|date of birth is] {birth}.",
  '{full}, {birth}.',
  '{full}, [and I was born on|and the birth date is] {birth}.',
  "[Sure|Yes], [it's|that's] {full}. {birth}.",
  '[The name is|You want|That would be] {full}, and [the birthday is|I was born] {birth}.',
];

export const lookUp: Patterns = [
  "[Thanks|Thank you], {first}. [Let me|I'll] [pull up|find|open] your [file|record|details].",
  "[Thank you|Perfect|Got it], I'm [opening|looking up|bringing up] your [file|record] now.",
  '[One moment|Just a second] while I [find you|look you up] in our system.',
  '[Great|Okay], {first}, let me see [what we have for you|your file] here.',
];

export const askWhen: Patterns = [
  '[I see you here|I have your file open|There you are], {first}. [What day|Which day|When] [works|would suit you|would you like to come in]?',
  '[Found you|Got your file], thank you. Do you have a [day|week] in mind?',
  '[Okay|Alright], {first}. [When would you like to come in|What day were you thinking of]?',
  "[You're in our system|Your details are here]. Which day [is best|would be good] for you?",
];

export const wantDay: Patterns = [
  '[Anything|Something|Is there anything] [on|for] {weekday}[ morning| afternoon|]?',
  '[Maybe|Perhaps|How about|Could we do] {weekday}[, if you have something|, preferably early|, after lunch|]?',
  '{weekday} [would be best|works for me|is my day off|is easiest].',
  "I'm [free|available|around] on {weekday}[, any time really| most of the day|].",
];

export const checkDiary: Patterns = [
  "[Let me|I'll] [check|look at|see] [the diary|our calendar|the schedule] for {weekday}.",
  '[Sure|Okay], [looking at|checking] {weekday} now.',
  '{weekday}, [let me see what is open|let me check what we have|one second].',
];

export const offerSlots: Patterns = [
  '[I have|We have|There is] {slotA} or {slotB} on {day}. [Which|What] [would you like|works better|do you prefer]?',
  'On {day} [I can offer|there are openings at] {slotA} and {slotB}. [Does either suit you|Which one shall I take]?',
  '{day}: {slotA} or {slotB} [is|are] [open|free]. [Any preference|Which is better]?',
];

export const takeSlot: Patterns = [
  '[{slotPick}|{slotPick}, please|The {slotPick}][ works| one is good| would be great|].',
  "[Let's do|I'll take|Can I take|Put me down for] [the {slotPick}|{slotPick}][, please|].",
  '{slotPick} [is perfect|suits me|it is|sounds good].',
];

export const booking: Patterns = [
  '[Great|Perfect|Okay], [booking|reserving] that [for you|] now.',
  "[Alright|Lovely], I'll [put you in|enter that|write you in] [right away|now].",
  '[Good choice|Sure], [saving|entering] that [in the diary|] now.',
];

export const booked: Patterns = [
  "[Done|All set|There we go]. You're booked [in|] for {day} at {slotPick} [with|and you will see] {dentist}.",
  "[You're all set|That's confirmed], {first}: {day} at {slotPick} with {dentist}. Your appointment is booked.",
  'Your [visit|appointment] is booked for {day} at {slotPick}, [with|seeing] {dentist}.',
];

export const offerText: Patterns = [
  '[Would you like|Shall I send you] a text [message|] with [the details|that]?',
  '[Can|May] I [text|send] you [a confirmation|the details] [to this number|to the phone you are calling from]?',
];

export const textSent: Patterns = [
  "[There|Okay|Done], I've [sent|texted] [you the details|that confirmation to your phone|you a confirmation].",
  '[Good|Perfect|Great]. The text has been sent [to your phone|to this number].',
  "I've just sent [it|the text] [to the number on file|over to you].",
];

export const goodbye: Patterns = [
  '[Thank you|Thanks] for calling Maple Court Dental[, {first}|]. [Take care|Have a lovely day|See you soon]!',
  '[Wonderful|Great]. [Have a great day|Take care], {first}.',
  "[You're very welcome|My pleasure]. [Goodbye|Bye for now|We'll see you then].",
];

export const farewellNoVisit: Patterns = [
  "[You're welcome|Glad I could help|Happy to help]. [Have a nice day|Take care|Goodbye]!",
  'Thanks for [calling|getting in touch][, {first}|]. [Goodbye|Have a good one]!',
];
