function split(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Words that say little about the matter of a talk. */
export const STOP_WORDS: readonly string[] = split(`
  el la los las un una unos unas lo al del de a en y e o u que qué si sí no ni con por para sin sobre entre desde hasta hacia como cómo cuando cuándo donde dónde
  cual cuál cuánto cuanto quien quién este esta esto estos estas ese esa eso esos esas aquel aquella yo tú tu mi mis me te se le les nos os su sus él ella ellos
  ellas usted ustedes vos nosotros es soy eres son era eran fue ser sido estoy está esta están estar estaba he ha has han hay haber había hemos tengo tiene tienes
  tienen tener tenía quiero quería quisiera puedo puede puedes podría poder voy va vamos ir a ver hacer hace hago ya muy más mas menos también tampoco pero porque
  pues entonces bueno bien vale claro ok okay gracias favor porfa hola buenos buenas días tardes noches perdón perdone disculpe adiós luego aquí ahí allí ahora
  todo toda todos todas algo nada otro otra mismo misma eh ah mm este o sea digo dice mire mira oiga oye señor señora sólo solo así
`);

export const VALUE_WORDS: readonly string[] = split(`
  cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós
  veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento
  doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos mil millón primero media cuarto mediodía medianoche docena doble
  lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre hoy
  mañana ayer tarde noche mediodía
`);

/** Words with which a question begins. */
export const ASKING: readonly string[] = split(`
  qué cuándo dónde cuánto cuánta cuántos cuántas cómo cuál cuáles quién quiénes adónde cuanto cuando donde cual puedo puede puedes podría podrías podemos tienen
  tiene tienes hay es está están son sería hacen aceptan
`);
