import { meanings, type RequestWords, wordSet } from '../request-words.ts';

export const ES: RequestWords = {
  empty:
    wordSet(`yo tú tu él ella usted ustedes nosotros nos me te se le les lo la los las mi mis su sus nuestro nuestra un una unos unas el al del de en a por para con
    sin sobre entre hasta desde y e o u pero si sí no ni que qué quién quien cuál cual cuáles cuándo cuando cómo como dónde donde cuánto cuánta cuántos
    cuántas porque muy más menos mucho mucha muchos muchas poco todo toda todos todas algo nada alguien nadie otro otra otros otras este esta esto estos estas
    ese esa eso esos esas aquí ahí allí ahora hoy ya también solo sólo bien mal bueno buena buenos buenas días tardes noches hola adiós gracias favor
    perdón disculpe disculpa oiga oye mire señor señora señorita quiero quería quisiera querría queremos querer necesito necesitaba necesitamos necesitar
    puedo puede podría podrían podemos poder pueden puedes gustaría gusta tengo tiene tenemos tener tenía hay haber he ha han había es son era está están
    estoy estaba estamos ser soy estar fue va voy vamos ir hacer hago hace haría hacen saber sé sabe decir dice digo diga dígame preguntar pregunta llamar
    llamo llama llamando llamada ayuda ayudar ayudarme ayudarle dar dame deme podría nombre vez eh pues este bueno vale claro ok okay semana día mañana
    tarde próximo próxima entonces así aunque tal quizás quizá venir vengo busco buscando mejor puede intentando intento`),
  asks: wordSet(
    `quiero quería quisiera necesito puedo puede podría gustaría cuándo dónde cómo cuánto qué cuál hay tengo tiene favor pregunta busco`,
  ),
  beforeVerbs: wordSet(
    'quiero quería quisiera necesito puedo puede podría podrían gustaría para me quiere tengo que a de',
  ),
  beforeThings: wordSet(
    'el la los las un una unos unas mi mis su sus tu nuestro nuestra este esta ese esa otra otro del al',
  ),
  infinitive: /..(ar|er|ir)(me|lo|la|los|las|le|se)?$/,
  people:
    wordSet(`madre padre mamá papá hermana hermano esposa esposo marido mujer hijo hija hijos amigo amiga niño niña niños jefe vecino vecina abuela abuelo tía
    tío pareja novia novio familia`),
  verbs: meanings(`cancel: cancelar cancelarla cancelarlo cancelo anular anularla
    move: mover cambiarla aplazar reprogramar posponer
    book: reservar concertar agendar programar
    order: ordenar encargar
    buy: comprar compré
    pay: pagar pagué
    return: devolver devolverlo
    exchange: canjear
    change: cambiar cambiarlo modificar actualizar
    check: comprobar verificar revisar consultar
    find: encontrar localizar rastrear
    send: enviar mandar envío
    deliver: entregar entregarlo
    collect: recoger recogerlo
    open: abrir abren
    close: cerrar cierran
    renew: renovar
    transfer: transferir
    speak: hablar
    complain: quejarme reclamar
    report: reportar denunciar informar
    repair: reparar arreglar
    replace: reemplazar sustituir
    confirm: confirmar
    register: registrar registrarme inscribirme
    activate: activar
    block: bloquear
    reset: restablecer desbloquear
    add: añadir agregar
    remove: eliminar borrar quitar
    rent: alquilar rentar`),
  things: meanings(`appointment: cita citas
    parcel: paquete paquetes
    order: pedido pedidos
    invoice: factura facturas recibo
    price: precio precios coste costo cuesta tarifa
    account: cuenta cuentas
    card: tarjeta tarjetas
    payment: pago pagos
    refund: reembolso devolución
    address: dirección
    password: contraseña clave
    insurance: seguro
    reservation: reserva reservas reservación
    hours: horario horarios
    delivery: entrega entregas
    person: persona agente operador operadora humano
    complaint: queja reclamación
    contract: contrato suscripción
    prescription: receta recetas
    result: resultado resultados
    car: coche carro auto
    ticket: billete billetes boleto boletos
    room: habitación
    table: mesa
    flight: vuelo
    driver: conductor repartidor`),
  verbLast: false,
  beforeObject: new Map([['speak', 'con']]),
  askAbout: 'preguntar por',
  generic: 'consulta general',
};
