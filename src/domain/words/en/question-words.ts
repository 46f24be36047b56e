import { type QuestionWords, wordSet } from '../question-words.ts';

export const ENGLISH_QUESTIONS: QuestionWords = {
  asks: wordSet(
    `what what's when when's where where's which who who's whom whose why how how's do does did is are was were will`,
  ),
  leads: wordSet(`and but so or um uh er well ok okay yeah yes right oh now also sorry wait no`),
  goesOn: wordSet(`and but so`),
  insists: wordSet(`but`),
  yesOrNo: wordSet(
    `yes no yeah yep nope correct right exactly absolutely not+at+this not+at+the not+at+that not+on not+in not+without not+until not+before not+after not+for not+today not+tonight not+tomorrow not+yet`,
  ),
  open: wordSet(`what which when where who whose how`),
  tags: [
    wordSet(`is isn't are aren't was wasn't does doesn't do don't will won't can can't`),
    wordSet(`it that you they there`),
  ],
  inverted: [
    wordSet(`is are was were do does did will would can could should`),
    wordSet(`it that you they there i we he she this these the my`),
  ],
  unfinished: wordSet(
    `the a an and or but because if my your our their of i'm i'd i've that's than can+i could+i may+i do+i until till unless although whether`,
  ),
  empty: wordSet(
    `think know mean want need like say says said tell telling told last first next time thing things without again much many long good sure people bit really maybe come call ring just said`,
  ),
};
