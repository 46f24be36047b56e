/** Verbs of doing, as participles, by the kind of deed that they claim. */
const DONE: Record<string, string> = {
  book: 'reservado/reservada/reservados/reservadas/agendado/agendada/apuntado/apuntada/programado/programada/reprogramado/reprogramada/citado/citada/anotada+la+reserva',
  cancel: 'cancelado/cancelada/canceladas/cancelados/anulado/anulada/anulados/anuladas/dado+de+baja',
  change:
    'cambiado/cambiada/cambiados/cambiadas/modificado/modificada/actualizado/actualizada/movido/movida/corregido/corregida/ajustado/ajustada/pospuesto/pospuesta/adelantado/adelantada/ampliado/ampliada',
  send: 'enviado/enviada/enviados/mandado/mandada/remitido/reenviado/reenviada/despachado/despachada/transmitido',
  refund: 'reembolsado/reembolsada/devuelto/devuelta/abonado/abonada/reintegrado',
  order: 'pedido/encargado/encargada/solicitado/solicitada/comprado/comprada/tramitado/tramitada',
  submit:
    'registrado/registrada/anotado/anotada/presentado/presentada/notificado/comunicado/pasado/dejado/reportado/informado/tomado+nota/inscrito/inscrita/grabado/grabada',
  add: 'añadido/añadida/agregado/agregada/activado/activada/incluido/incluida/aplicado/aplicada/sumado/sumada',
  remove: 'eliminado/eliminada/borrado/borrada/bloqueado/bloqueada/desactivado/desactivada/quitado/quitada',
  pay: 'pagado/pagada/cobrado/cobrada/cargado/cargada',
  issue: 'emitido/emitida/creado/creada/abierto/abierta/generado/generada',
  unlock: 'desbloqueado/desbloqueada/restablecido/restablecida/restaurado/restaurada',
};

/** "Acabo de enviar": done a moment ago. */
const JUST: Record<string, string> = {
  book: 'reservar/reservarle/reservarte/agendar/apuntar/apuntarle',
  cancel: 'cancelar/cancelarla/cancelarlo/anular/anularla/anularlo',
  change: 'cambiar/cambiarlo/cambiarla/modificar/modificarla/mover/actualizar/corregir/corregirlo',
  send: 'enviar/enviarle/enviarte/enviárselo/mandar/mandarle/mandarte/mandárselo',
  refund: 'reembolsar/devolver/devolverle/abonar',
  order: 'pedir/encargar/tramitar/solicitar',
  submit: 'registrar/registrarlo/anotar/anotarlo/avisar/notificar/pasar+el+aviso',
  add: 'añadir/añadirlo/agregar/agregarlo/activar',
  remove: 'eliminar/eliminarlo/borrar/borrarlo/bloquear/desactivar',
  pay: 'cobrar/pagar/cargar',
  issue: 'emitir/crear/abrir/generar',
  unlock: 'desbloquear/restablecer',
};

const MORE: Record<string, readonly string[]> = {
  book: [
    'su/tu/la reserva/cita/mesa/reservación/turno/hora/visita está/queda/ha+quedado/quedó [ya/ahora] confirmada/lista/hecha/hecho/listo/confirmado/apartada/agendada/registrada',
    'queda/quedan/quedó/ha+quedado [ya] [usted] confirmado/confirmada/hecha/lista/apartado/apartada',
    'le/te/os/les esperamos el/a/mañana/hoy/este',
  ],
  // A house that is closed was closed by nobody on the call.
  remove: ['he/hemos cerrado'],
  send: [
    'mensaje/sms/correo/email/enlace/confirmación ~2 ha+salido/está+enviado/va+en+camino/salió',
    'recibirá/recibirás/le+llegará/te+llegará [en/un/una/ahora/enseguida] [breve/unos] ~2 mensaje/correo/email/sms/confirmación/enlace',
  ],
};

/** "He reservado", "queda cancelada", "se ha enviado": how an agent says that a thing is done, a list a kind. */
export const CLAIMS: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(DONE).map(([kind, verbs]) => [
    `claim:${kind}`,
    [
      `[ya/le/les/te/os/lo/la/se/los/las] he/hemos/ha/han [ya] ${verbs}`,
      `ha/han sido [ya] ${verbs}`,
      `está/están/queda/quedan/quedó/quedaron/ha+quedado [ya/usted/todo/ahora] ${verbs}`,
      `fue/fueron ${verbs}`,
      `acabo/acabamos de ${JUST[kind] ?? verbs}`,
      `le/te/lo/la tengo/dejo/dejé [ya] ${verbs}`,
      `ya [está/lo+tengo/la+tengo/lo/la] ${verbs}`,
      ...(MORE[kind] ?? []),
    ],
  ]),
);
