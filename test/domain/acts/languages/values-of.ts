import { readTurns } from '../../../../src/domain/calls/read-turns.ts';
import { scripted } from '../../signals/scripted-call.ts';

/** The values of a caller's line in a talk of a language, as `slot form,form`. */
export function valuesIn(language: string, text: string): string[] {
  const input = scripted([{ c: text }]);
  const { spoken } = readTurns({ ...input, call: { ...input.call, language } });
  return (spoken[0]?.values ?? []).map(
    ({ slot, forms, denied }) => `${denied ? 'not ' : ''}${slot} ${forms.join(',')}`,
  );
}
