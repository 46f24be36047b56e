import { wordSet } from './request-words.ts';

/** Numbers in words, in German, Spanish and French: they are values of a request and no matter. */
export const OTHER_NUMBER_WORDS =
  wordSet(`null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend halb viertel cero uno dos tres cuatro
  cinco seis siete ocho nueve diez once doce veinte treinta cien mil media cuarto zéro deux trois quatre cinq sept huit neuf dix onze douze vingt trente cent
  mille demi`);

export const OTHER_DATE_WORDS =
  wordSet(`montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli august september oktober november dezember
  vormittag nachmittag mittag übermorgen gestern lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto
  septiembre octubre noviembre diciembre ayer lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre
  octobre novembre décembre demain hier midi`);
