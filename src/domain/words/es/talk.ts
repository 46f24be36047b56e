import type { TalkWords } from '../talk-words.ts';

export const TALK: TalkWords = {
  hesitant: 'eh este',
  polite: 'gracias favor',
  beside: 'antes llegar llegue cierra cierre',
  shares: 'mitad tercio ciento depósito',
  onTheWay: 'correo mensaje recordatorio confirmación carta llamada llamamos sale procesa cerrado si',
  conditions: `
    si cuando cuándo antes después voy vamos va puedo puede podemos podría podríamos quiere quieres desea debe hay no nunca aún todavía porque aparece
    figura consta según
  `,
  own: 'he hemos acabo',
  booked: 'confirmad reservad agendad',
  noTermBehind: 'los las estos estas últimos hace desde',
  passed: 'ya',
  periods: 'hora horas días semana semanas meses años',
  prices: 'precios/tarifas',
  onTop: 'más/suplemento',
  percent: 'por ciento',
  orderConditions: 'si cuando',
  orderOthers: 'cliente clientes puedes puede pueden',
  lists: 'y o',
  limits: 'hasta/máximo',
  persons: 'yo usted ustedes',
  relative: 'que lo',
  whats: '',
  murmurs: '',
  unreal: 'si tenía',
  ahead: 'tendré',
  numbers: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien mil media cuarto',
  dates: `
    lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ayer
  `,
};
