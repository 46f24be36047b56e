import { type QuestionWords, wordSet } from '../question-words.ts';

export const FRENCH_QUESTIONS: QuestionWords = {
  asks: wordSet(
    `quand où comment pourquoi combien quel quelle quels quelles qui que quoi est qu'est qu'est-ce est-ce faut a-t-il y-a-t-il avez`,
  ),
  leads: wordSet(`et mais alors donc ou euh ben bon ok oui ah non attendez`),
  goesOn: wordSet(`et mais alors donc`),
  insists: wordSet(`mais`),
  yesOrNo: wordSet(`oui non exact exactement tout effectivement pas+avant pas+sans pas+ce pas+le`),
  open: wordSet(`quel quelle quels quelles quand où qui combien comment`),
  tags: [wordSet(``), wordSet(``)],
  inverted: [wordSet(`est-ce est a-t peut faut`), wordSet(`que qu'il qu'on il elle on ce`)],
  unfinished: wordSet(
    `le les l' un une des de du d' au et ou parce mon ma mes votre vos pour qu' je jusqu' jusqu'à jusqu'au bien+que`,
  ),
  empty: wordSet(
    `crois sais savoir veux dis dire dit dernière dernier prochaine fois chose sans beaucoup bon sûr peut-être appelle appeler venir`,
  ),
};
