import { expect, test } from 'vitest';
import { valuesIn } from './values-of.ts';

test.each([
  ['à dix-sept heures trente', ['time 1050']],
  ['huit heures et demie', ['time 0510,1230']],
  ['neuf heures moins le quart', ['time 0525,1245']],
  ['trois heures et quart', ['time 0195,0915']],
  ['14h30', ['time 0870']],
  ['à 8 heures du matin', ['time 0480']],
  ['sept heures du soir', ['time 1140']],
  ['à midi', ['time 0720']],
  ['dans deux heures', ['count:hours 2']],
  ['le quatre novembre', ['date 11-04']],
  ['le 4 novembre 2026', ['date 2026-11-04']],
  ['premier avril', ['date 04-01']],
  ['le douze mai soixante-dix-huit', ['date 1978-05-12']],
  ['le 03/11', ['date 11-03']],
  ['mardi', ['date weekday-2']],
  ['quatre-vingt-quinze euros', ['money 95']],
  ['quatre vingt quinze personnes', ['count:people 95']],
  ['soixante et onze', ['count 71']],
  ['douze euros cinquante', ['money 12.5']],
  ['12,50 €', ['money 12.5']],
  ['deux mille cinq cents dollars', ['money 2500']],
  ['nonante-deux francs', ['money 92']],
  ['zéro six douze trente-quatre cinquante-six soixante-dix-huit', ['code 0612345678']],
  ['D comme Denis U P O N T', ['spelling DUPONT']],
  ['anne point leroy arobase courriel point fr', ['email anne.leroy@courriel.fr']],
  ['pas la grande la petite', ['not size large', 'size small']],
  ["j'ai un petit souci", ['size small']],
  ["il y a l'accès", []],
  ["aujourd'hui ou après-demain", ['day_from_now today', 'day_from_now day after tomorrow']],
  ['une table pour une personne', ['count:people 1']],
])('the French "%s" carries its values', (text, values) => {
  expect(valuesIn('fr', text)).toEqual(values);
});
