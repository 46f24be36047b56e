import { type QuestionWords, wordSet } from '../question-words.ts';

export const SPANISH_QUESTIONS: QuestionWords = {
  asks: wordSet(
    `qué cuándo dónde adónde cuánto cuánta cuántos cuántas cómo cuál cuáles quién quiénes por hay es son está están tiene tienen cuesta cuestan`,
  ),
  leads: wordSet(`y pero entonces o eh pues bueno vale sí ah no ya oiga mire`),
  goesOn: wordSet(`y pero entonces`),
  insists: wordSet(`pero`),
  yesOrNo: wordSet(`sí si no claro correcto exacto exactamente`),
  open: wordSet(`qué que cuándo cuando dónde donde cuánto cuántos cuántas cómo cuál quién`),
  tags: [wordSet(``), wordSet(``)],
  inverted: [wordSet(`se es hay`), wordSet(`puede puedo tiene`)],
  unfinished: wordSet(`el los las un una de del con para por y o pero porque mi su puedo+yo hasta+que aunque hasta+el`),
  empty: wordSet(
    `creo sé saber quiero digo decir dicho última último próxima vez cosa sin mucho bueno seguro quizás llamo llamar venir`,
  ),
};
