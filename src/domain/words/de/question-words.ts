import { type QuestionWords, wordSet } from '../question-words.ts';

export const GERMAN_QUESTIONS: QuestionWords = {
  asks: wordSet(
    `was wann wo wohin woher wer wen wem wessen warum wieso weshalb wie wieviel welche welcher welches welchen ist sind war gibt gibts hat haben kostet kosten muss müssen darf dürfen`,
  ),
  leads: wordSet(`und aber also oder äh ähm na ja okay ok gut genau moment nein ach`),
  goesOn: wordSet(`und aber also`),
  insists: wordSet(`aber`),
  yesOrNo: wordSet(`ja nein jawohl doch genau richtig stimmt nicht+ohne nicht+vor nicht+heute nicht+morgen nicht+am`),
  open: wordSet(`was wann wo wohin wer wen wem wie wieviel welche welcher welches welchen welchem`),
  tags: [wordSet(``), wordSet(``)],
  inverted: [
    wordSet(`ist sind gibt hat haben kann können muss müssen darf dürfen geht kostet kriege krieg`),
    wordSet(`es das ich man sie du wir er`),
  ],
  unfinished: wordSet(
    `der den dem eine einen einem einer und oder weil wenn ob dass mein meine meinen ihre für von zum zur kann+ich muss+ich so+ein bloß+so nur+so obwohl bis+zum`,
  ),
  empty: wordSet(
    `glaube glaub weiß wissen meine mein will sage sagen gesagt letzte letzten nächste mal ding sache ohne viel gut sicher vielleicht kommen komme rufe anrufen`,
  ),
};
