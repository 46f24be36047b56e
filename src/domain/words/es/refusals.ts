/** Spanish words by which a system or a business turns a request down without being broken. */
export const REFUSAL_PHRASES: readonly string[] = [
  'lamentablemente/rechazado/rechazada/denegado/denegada/agotado/agotada/agotados/completo/ocupado/ocupada/lleno/insuficiente/inválido/inválida',
  'no disponible/encontrado/encontrada/autorizado/autorizada/permitido/permitida/posible/elegible/válido/válida/existe/coincide/coinciden',
  'no hay ~2 disponibilidad/disponible/disponibles/mesas/mesa/citas/huecos/plazas/resultados/habitaciones/stock/existencias',
  'no se encontró/encontraron/encuentra/puede/pudo',
  'no quedan/queda',
  'sin disponibilidad/resultados/existencias/stock/plazas/huecos',
  'ya reservado/reservada/ocupado/ocupada/cancelado/cancelada/existe',
  'fuera de plazo/horario/zona',
  'cliente/paciente/usuario desconocido/inexistente',
  'demasiado tarde',
  'cerrado el/los',
];
