/** What a French answering machine says; such a voice is no caller. */
export const MACHINE_GREETING: readonly string[] = [
  'laissez/laisse [moi/nous] [un/votre/ton] [un/votre] message',
  'laisser [moi/nous] [un/votre/ton] message',
  'après le bip/signal/bip+sonore/signal+sonore',
  'messagerie de/vocale/du',
  'boîte vocale [de/du]',
  'vous êtes bien/sur+la+messagerie/sur+le+répondeur [sur/chez/au] [la/le] [messagerie/répondeur]',
  'vous êtes sur la/le messagerie/répondeur',
  'votre correspondant/interlocuteur est/n [est/pas] [pas] [joignable/disponible/indisponible]',
  'la personne que vous appelez/tentez/essayez/avez',
  "n'est pas/actuellement disponible/joignable/pas+joignable [pour/pour+le/actuellement]",
  'ne peux/pouvons/peut pas/actuellement [vous/te/prendre] [répondre]',
  'vos nom et',
  'votre nom et',
  'messagerie est pleine',
];
