/** French words by which a system or a business turns a request down without being broken. */
export const REFUSAL_PHRASES: readonly string[] = [
  'malheureusement/refusé/refusée/complet/complète/épuisé/épuisée/indisponible/insuffisant/invalide/rejeté/rejetée',
  'pas/plus disponible/disponibles/trouvé/trouvée/autorisé/autorisée/possible/éligible/valide/ouvert/vérifié/reconnu',
  'aucun/aucune ~1 disponible/disponibilité/créneau/table/place/résultat/rendez/chambre/client/dossier/trouvé/trouvée',
  'non disponible/trouvé/trouvée/autorisé/autorisée/éligible/valide/reconnu',
  'déjà réservé/réservée/pris/prise/annulé/annulée/occupé',
  'ne correspond/correspondent/existe pas',
  'introuvable/inconnu/inconnue',
  'hors délai/zone/stock',
  'en rupture',
  'délai dépassé',
  'trop tard',
  'fermé le/les/ce',
];
