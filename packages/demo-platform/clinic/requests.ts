import type { Patterns } from '../script.ts';

/** What callers of the dental practice want, in their own words. */
export const wantBooking: Patterns = [
  "[I'd like|I want|I need|I was hoping] to [book|make|schedule|set up] [an appointment|a visit] for {service}.",
  '[Hi|Hello|Hey], [can|could] I [get|book|come in for] {service} [some time next week|soon|in the next days|]?',
  "It's time for {service} again, [so I need a slot|can you fit me in|when do you have room]?",
  'My [dentist|last visit] said I should [come in for|have] {service}. [Do you have anything|When can I come]?',
  "[I'm calling|I'm ringing] [about|because I need] {service}. [What do you have open|When could I come]?",
  '[Hello there|Good morning|Good afternoon], [would it be possible|is it possible] to [arrange|book] {service}?',
  "[Looking|I'm looking] to [get|book] {service} [for myself|] [before the holidays|this month|as soon as you can|].",
];

export const SERVICES = [
  'a cleaning',
  'a check-up',
  'a filling',
  'a crown fitting',
  'whitening',
  'an X-ray',
  'a night guard fitting',
  'a consultation about braces',
  'a look at a chipped tooth',
  'a hygiene appointment',
  'a denture repair',
  'a second opinion on an implant',
] as const;

export const DENTISTS = ['Dr Vale', 'Dr Osei', 'Dr Marek', 'Dr Lindgren', 'Dr Castillo'] as const;

export const wantMove: Patterns = [
  "[I need|I'd like|I have] to [move|change|reschedule] my appointment [on {oldWeekday}|that I have {oldWeekday}|].",
  'Something [came up|has come up at work], [can|could] I [push|move] my [{oldWeekday} |]appointment [to another day|]?',
  "I [can't make|won't be able to make] [it on {oldWeekday}|my {oldWeekday} appointment]. [Can we find another time|Is there another day]?",
  "[Hi|Hello], about my [visit|appointment] on {oldWeekday}, [could we shift it|I'd like a different day]?",
  "[Could|Can] you [reschedule|move] me[, please|]? I'm down for {oldWeekday} and [I'll be travelling|my kid is ill|I have a meeting].",
];

export const wantCancel: Patterns = [
  "[I need|I'd like|I want] to cancel my appointment [on {oldWeekday}|for {oldWeekday}|].",
  '[Can|Could] you [cancel|take out] my {oldWeekday} appointment[, please|]?',
  "I [won't be coming|have to drop out] on {oldWeekday}, so please cancel [it|that one|my slot].",
  '[Hello|Hi], I [have to|must] cancel [my visit|the appointment] this {oldWeekday}.',
];

export const wantFees: Patterns = [
  'How much [is {service}|does {service} cost|would {service} be] [without insurance|if I pay myself|at your practice|]?',
  "[I'd like to know|Can you tell me|I wanted to ask] what {service} costs[ these days|].",
  "[What do you charge|What's the price|What are your fees] for {service}?",
  'Do you [take|accept] [Delta|Northwell|Guardian Blue] insurance, and what would I pay for {service}?',
];

export const wantInfo: Patterns = [
  '[What time|When] do you [open|close] on {weekday}?',
  '[Where exactly are you|How do I get to you|What is your address], and [is there parking|can I park there]?',
  '[Are you open|Do you open] on [Saturdays|bank holidays|{weekday} evenings]? And [where can I park|is there parking nearby]?',
  "I'm [coming|driving] in [for the first time|from out of town]. [Where do I park|What's the best place to park]?",
];

export const wantWhen: Patterns = [
  '[I forgot|I lost the card, so] when is my [next appointment|appointment|visit]?',
  "[Can|Could] you [tell|remind] me [what time my appointment is|when I'm supposed to come in]?",
  "I [think I have|should have] an appointment [coming up|next week], [but I can't find the note|what day was it]?",
];

export const wantPerson: Patterns = [
  "[I have|There's] a [question|problem] [with|about] [my bill|an invoice|a refund]. [Can I speak to|Could you put me through to|I'd like to talk to] [someone in billing|a person|somebody at the desk]?",
  '[Could|Can] I [speak|talk] to [the receptionist|someone at reception|a person] about [my insurance claim|a letter I received|my payment plan]?',
  "[I'd rather|I'd like to] [speak|talk] to a person [about this|], it's about [my invoice from last month|a treatment plan].",
];

export const fearsPain: Patterns = [
  "[I've had|I have] [an awful|a bad|a throbbing] toothache since [last night|yesterday|the weekend]. [Can anyone see me|Do you have anything] today?",
  'My [gum|jaw|crown] [is swollen|hurts a lot|came off], [I need|can I get] an emergency appointment?',
];
