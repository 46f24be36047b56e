import { meanings, type RequestWords, wordSet } from '../request-words.ts';

export const FR: RequestWords = {
  empty:
    wordSet(`je j'ai j'aimerais j'aurais j'étais j'avais j'appelle tu il elle on nous vous ils elles me m te t se s le la les l un une des du de d au aux ce c'est c'était cet cette
    ces ça cela celui mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs et ou mais donc or ni car que qu qu'est qu'il quoi qui où quand
    comment combien pourquoi quel quelle quels quelles est est-ce n'est n'ai pas ne n plus moins très trop beaucoup peu tout toute tous toutes rien quelque chose
    quelqu'un autre autres même aussi encore déjà ici là maintenant aujourd'hui bien mal bon bonne bons bonjour bonsoir salut merci s'il plaît revoir
    pardon excusez excuse désolé désolée monsieur madame mademoiselle oui non d'accord euh ben alors voilà veux voudrais voulais voudrait voulons vouloir
    besoin peux peut pouvez pourriez pourrais pouvoir puis-je puis aimerais aimerait souhaite souhaiterais faut faudrait dois doit devrais ai as a avons
    avez ont avoir avait aviez suis es sommes êtes sont être était étais serait serais sera vais va allez aller fait faire faites fais sais savoir
    savez dire dites dit demande demander question questions appelle appeler appel aide aider m'aider nom m'appelle à en y dans par pour sur sous avec
    sans chez vers entre depuis jusque pendant avant après si comme parce seulement juste peut-être jour jours semaine matin soir prochain prochaine
    dernier dernière fois venir viens cherche essaie plutôt mieux`),
  asks: wordSet(`veux voudrais voulais peux pouvez pourriez pourrais puis-je aimerais j'aimerais souhaite souhaiterais besoin quand où comment combien quel quelle quels est-ce
    question cherche`),
  beforeVerbs: wordSet(
    `veux voudrais voulais peux pouvez pourriez pourrais aimerais j'aimerais souhaite souhaiterais faut dois pour de à me vous`,
  ),
  beforeThings: wordSet('le la les un une des du au aux mon ma mes notre nos votre vos ce cet cette ces l d'),
  infinitive: /..(er|ir|re)$/,
  people: wordSet(
    `mère père maman papa sœur soeur frère femme mari fils fille ami amie enfant enfants chef voisin voisine mamie papi tante oncle copain copine famille`,
  ),
  verbs: meanings(`cancel: annuler annule annulé résilier
    move: déplacer déplacé reporter décaler reprogrammer repousser
    book: réserver réservé prendre fixer
    order: commander commandé
    buy: acheter acheté
    pay: payer payé régler
    return: retourner renvoyer
    exchange: échanger
    change: changer changé modifier modifié
    check: vérifier consulter
    find: trouver localiser suivre retrouver
    send: envoyer envoyé expédier
    deliver: livrer livré
    collect: récupérer retirer
    open: ouvrir ouvert ouvrez
    close: fermer fermé clôturer
    renew: renouveler
    transfer: transférer virer
    speak: parler
    complain: plaindre réclamer
    report: signaler déclarer
    repair: réparer
    replace: remplacer
    confirm: confirmer
    register: inscrire m'inscrire enregistrer
    activate: activer
    block: bloquer
    reset: réinitialiser débloquer
    add: ajouter
    remove: supprimer enlever
    rent: louer`),
  things: meanings(`appointment: rendez-vous rendez rdv
    parcel: colis paquet
    order: commande commandes
    invoice: facture factures
    price: prix tarif tarifs coût coûte frais
    account: compte comptes
    card: carte cartes
    payment: paiement paiements
    refund: remboursement
    address: adresse l'adresse
    password: passe
    insurance: assurance mutuelle l'assurance
    reservation: réservation
    hours: horaires
    delivery: livraison
    person: personne conseiller conseillère humain
    complaint: réclamation plainte
    contract: contrat abonnement l'abonnement
    prescription: ordonnance
    result: résultat résultats
    car: voiture
    ticket: billet billets
    room: chambre
    table: table
    flight: vol
    driver: livreur chauffeur`),
  verbLast: false,
  beforeObject: new Map([['speak', 'à']]),
  askAbout: 'question sur',
  generic: 'demande générale',
};
