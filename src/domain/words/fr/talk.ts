import type { TalkWords } from '../talk-words.ts';

export const TALK: TalkWords = {
  hesitant: 'euh heu ben bah',
  polite: 'merci plaît',
  beside: 'avant arriver arrivez ferme fermeture tard',
  shares: 'moitié quart tiers pourcent acompte',
  onTheWay: 'mél courriel message rappel confirmation courrier lettre appel part traité fermé',
  conditions: `
    si quand lorsque dès avant après puis peux pouvons pourrait voulez souhaitez vais allons va faut doit pas jamais encore que parce qu'il s'il
  `,
  own: "nous j'ai j je viens venons",
  booked: 'confirmé réservé',
  noTermBehind: 'les ces vos dans depuis',
  passed: 'passés',
  periods: 'heure heures jour jours semaine semaines mois année années',
  prices: 'prix/tarifs',
  onTop: 'supplément/en plus',
  percent: 'pourcent/pour cent',
  orderConditions: 'quand lorsque',
  orderOthers: 'appelant appelants client clients peux pouvez',
  lists: 'et ou',
  limits: "jusqu'à",
  persons: 'je nous vous on il elle',
  relative: 'ce',
  whats: '',
  murmurs: '',
  unreal: 'avais',
  ahead: 'vais',
  numbers: 'zéro deux trois quatre cinq sept huit neuf dix onze douze vingt trente cent mille demi',
  dates: `
    lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre novembre décembre demain hier midi
  `,
};
