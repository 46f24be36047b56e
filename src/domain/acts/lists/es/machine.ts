/** What a Spanish answering machine says; such a voice is no caller. */
export const MACHINE_GREETING: readonly string[] = [
  'deje/deja/dejen/déjenos/déjame/déjeme [por] [favor] [su/tu/un/el] mensaje',
  'después de/del/la [oír/la/escuchar] [la/el] [señal/tono]',
  'al oír/escuchar la/el señal/tono',
  'buzón de voz/mensajes',
  'el teléfono/móvil/número al/que que/ha/llama [llama/marcado/usted]',
  'no se encuentra/está disponible en+este/por+el/ahora',
  'apagado o fuera de cobertura',
  'no puedo/podemos atender/atenderle/atenderte/contestar [su/tu/en/ahora/la]',
  'ha llamado/contactado a/al/con [buzón/contestador]',
  'contestador automático',
  'grabe/graba su/tu/el mensaje',
  'deje su/tu nombre y',
];
