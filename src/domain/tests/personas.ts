/** A kind of caller that a test can be played by, in the place of its own. */
export interface PersonaSpec {
  /** A slug for built-in ones, a UUID for a workspace's own. */
  id: string;
  name: string;
  /** How it speaks and behaves: what the simulated caller is told. */
  style: string;
}

export const BUILT_IN_PERSONAS: readonly PersonaSpec[] = [
  {
    id: 'plain',
    name: 'Plain',
    style: 'Speaks in short, complete sentences, answers what was asked, and is neither hurried nor slow.',
  },
  {
    id: 'hurried',
    name: 'In a hurry',
    style:
      'Has little time and says so. Answers in fragments, gives several details at once before being asked, and asks how long this will take.',
  },
  {
    id: 'hesitant',
    name: 'Hesitant',
    style:
      'Is unsure. Starts sentences anew, says "um" and "let me think", corrects a detail once after giving it, and asks for confirmation.',
  },
  {
    id: 'talkative',
    name: 'Talkative',
    style:
      'Wraps every answer in a story from everyday life that has nothing to do with the request. The answer itself is always in there once.',
  },
  {
    id: 'hard-of-hearing',
    name: 'Hard of hearing',
    style:
      'Mishears now and then: asks for the last thing to be repeated, at most three times in a call, and repeats numbers back slowly.',
  },
  {
    id: 'upset',
    name: 'Upset',
    style:
      'Is annoyed about an earlier bad experience and says so in the first two turns, without insults. Calms down when taken seriously, grows curt when asked the same thing twice.',
  },
  {
    id: 'second-language',
    name: 'Second-language speaker',
    style:
      'Speaks the agent’s language as a second one: simple words, small grammatical slips, no idioms. Asks for a simpler wording when a sentence is long.',
  },
  {
    id: 'sceptical',
    name: 'Sceptical of machines',
    style:
      'Asks early whether this is a person, doubts that it can help, and wants to know what each detail is needed for. Goes along once that is answered.',
  },
];

const bySlug = new Map(BUILT_IN_PERSONAS.map((persona) => [persona.id, persona]));

export function builtInPersona(id: string): PersonaSpec | null {
  return bySlug.get(id) ?? null;
}
