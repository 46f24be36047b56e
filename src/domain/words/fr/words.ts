function split(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Words that say little about the matter of a talk. */
export const STOP_WORDS: readonly string[] = split(`
  le la les l un une des du de d au aux et ou où mais donc or ni car que qu qui quoi dont ce cet cette ces ça ca cela c c'est ceci se s son sa ses leur leurs je j
  j'ai me m moi mon ma mes tu te t toi ton ta tes il elle on nous vous ils elles lui notre nos votre vos y en à dans par pour sur avec sans sous chez vers entre
  depuis jusque jusqu'à est es suis sommes êtes sont était étais serait sera être été ai as a avons avez ont avait avais aurait avoir eu fait faire fais faites
  peux peut pouvez pourriez pourrais pourrait puis veux veut voulez voudrais voudrait souhaite souhaitez vais va allez aller aimerais j'aimerais ne n pas plus non
  oui si très trop bien bon bonne alors aussi encore déjà toujours juste même tout tous toute toutes autre autres comme quand comment pourquoi combien quel quelle
  quels quelles merci bonjour bonsoir allô allo madame monsieur s'il plaît plait svp d'accord voilà ok okay euh ben bah hein ah oh hum donc enfin là ici est-ce
  qu'est n'est d'un d'une l'ai n'ai j'avais c'était au revoir journée soirée
`);

export const VALUE_WORDS: readonly string[] = split(`
  zéro deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante septante huitante nonante
  octante cent cents mille million premier première demi demie quart midi minuit douzaine double lundi mardi mercredi jeudi vendredi samedi dimanche janvier
  février mars avril mai juin juillet août septembre octobre novembre décembre aujourd'hui demain hier matin soir après-midi week-end
`);

/** Words with which a question begins. */
export const ASKING: readonly string[] = split(`
  est qu'est quand où comment pourquoi combien quel quelle quels quelles qui que pouvez pourriez puis peux peut avez auriez êtes faites souhaitez voulez voudriez
  désirez aimeriez faut a-t-il serait-il
`);
