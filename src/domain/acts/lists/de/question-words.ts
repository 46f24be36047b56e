import { type QuestionWords, wordSet } from '../question-words.ts';

export const GERMAN_QUESTIONS: QuestionWords = {
  asks: wordSet(
    `was wann wo wohin woher wer wen wem wessen warum wieso weshalb wie wieviel welche welcher welches welchen ist sind war gibt gibts hat haben kostet kosten muss müssen darf dürfen`,
  ),
  leads: wordSet(`und aber also oder äh ähm na ja okay ok gut genau moment nein ach`),
  goesOn: wordSet(`und aber also`),
  insists: wordSet(`aber`),
  yesOrNo: wordSet(`ja nein jawohl doch genau richtig stimmt`),
  open: wordSet(`was wann wo wohin wer wen wem wie wieviel welche welcher welches welchen welchem`),
  tags: [wordSet(``), wordSet(``)],
  inverted: [
    wordSet(`ist sind gibt hat haben kann können muss müssen darf dürfen geht kostet kriege krieg`),
    wordSet(`es das ich man sie du wir er`),
  ],
  unfinished: wordSet(
    `der die das den dem des ein eine einen einem einer und oder aber weil wenn ob dass mein meine meinen ihr ihre für mit von zu zum zur bei im in am an auf aus nach ich ist sind kann könnte ein`,
  ),
};
