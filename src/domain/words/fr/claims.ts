/** Verbs of doing, as participles, by the kind of deed that they claim. */
const DONE: Record<string, string> = {
  book: 'réservé/réservée/réservés/fixé/programmé/programmée/inscrit/inscrite/pris+rendez/planifié/planifiée/reprogrammé/bloqué+le+créneau/calé',
  cancel: 'annulé/annulée/annulés/annulées/résilié/résiliée/décommandé',
  change:
    'changé/changée/modifié/modifiée/modifiés/déplacé/déplacée/décalé/décalée/reporté/reportée/corrigé/corrigée/avancé/avancée/actualisé/mis+à+jour/mise+à+jour/rectifié/rectifiée',
  send: 'envoyé/envoyée/envoyés/transmis/transmise/expédié/expédiée/adressé/transféré/transférée/renvoyé',
  refund: 'remboursé/remboursée/crédité/créditée/recrédité',
  order: 'commandé/commandée/commandés/échangé/échangée/passé+commande/passé+la+commande/passé+votre+commande',
  submit:
    'enregistré/enregistrée/noté/notée/signalé/signalée/déposé/déposée/saisi/saisie/consigné/prévenu/prévenue/informé/informée/pris+note/laissé+un+message/renseigné/déclaré/déclarée',
  add: 'ajouté/ajoutée/ajoutés/activé/activée/appliqué/appliquée/rajouté/rajoutée/attribué',
  remove: 'supprimé/supprimée/retiré/retirée/désactivé/désactivée/effacé/effacée/enlevé/clôturé',
  pay: 'payé/payée/débité/débitée/prélevé/encaissé/réglé/réglée',
  issue: 'émis/émise/créé/créée/ouvert+un+dossier/ouvert+un+ticket/établi/établie/édité/généré',
  unlock: 'débloqué/débloquée/réinitialisé/réinitialisée/rétabli/rétablie/déverrouillé',
};

/** "Je viens d'envoyer": done a moment ago. */
const JUST: Record<string, string> = {
  book: 'réserver/inscrire/fixer/programmer/bloquer+le+créneau',
  cancel: 'annuler/résilier',
  change: 'modifier/changer/déplacer/décaler/reporter/corriger',
  send: 'envoyer/transmettre/expédier/transférer/renvoyer',
  refund: 'rembourser/créditer',
  order: 'commander/passer+la+commande/échanger',
  submit: 'enregistrer/noter/signaler/laisser+un+message/prévenir',
  add: 'ajouter/activer/appliquer',
  remove: 'supprimer/retirer/désactiver',
  pay: 'régler/débiter',
  issue: 'créer/ouvrir+un+dossier/éditer',
  unlock: 'débloquer/réinitialiser',
};

const MORE: Record<string, readonly string[]> = {
  book: [
    'votre/ton/le/la/ta rendez-vous/réservation/table/rdv/place/créneau/visite/séance ~1 est [bien/maintenant/donc] confirmé/confirmée/pris/prise/bloqué/bloquée/enregistré/enregistrée/fait/faite',
    "c'est [bien] réservé/confirmé/bloqué/inscrit",
    'vous êtes [bien/donc/maintenant] inscrit/inscrite/attendu/attendue/enregistré/enregistrée',
  ],
  // A house that is closed was closed by nobody on the call.
  remove: ["j' ai [bien/donc/aussi/également/tout] fermé"],
  send: [
    'sms/mail/message/courriel/email/confirmation/lien ~2 est parti/partie/envoyé/envoyée',
    "vous venez/avez de/dû recevoir un/le/l'/une sms/mail/message/courriel/email/confirmation/lien",
    'vous allez+recevoir/recevrez [un/une/dans/d+ici/par] ~2 sms/mail/courriel/email/message/confirmation/lien',
  ],
};

/** "J'ai réservé", "est annulé", "a été envoyé": how an agent says that a thing is done, a list a kind. */
export const CLAIMS: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(DONE).map(([kind, verbs]) => [
    `claim:${kind}`,
    [
      `j' ai [bien/donc/aussi/également/tout] ${verbs}`,
      `nous avons [bien/donc/aussi/également] ${verbs}`,
      `je vous/t'/l'/te [l'/les/en/le/la] ai [bien/donc/déjà] ${verbs}`,
      `je l'/les ai [bien/donc/déjà] ${verbs}`,
      `a/ont [bien/donc/déjà] été [bien/déjà] ${verbs}`,
      `est/sont [bien/donc/maintenant/désormais/déjà/à+présent] ${verbs}`,
      `voilà [c'est/qui+est] ${verbs}`,
      `viens/venons de/d' [vous/te/le/la/les/l'/lui] [le/la/les/l'/en] ${JUST[kind] ?? verbs}`,
      ...(MORE[kind] ?? []),
    ],
  ]),
);
