import type { PersonaResource } from '../../contract/persona.ts';
import type { PersonaView } from '../../db/tests/personas.ts';
import type { PersonaSpec } from '../../domain/tests/personas.ts';

export function presentPersona(row: PersonaSpec | PersonaView): PersonaResource {
  const { id, name, style } = row;
  const made = 'createdAt' in row ? { createdBy: row.createdBy, createdAt: row.createdAt } : null;
  return {
    object: 'persona',
    id,
    name,
    style,
    builtIn: made === null,
    createdBy: made?.createdBy ?? null,
    createdAt: made?.createdAt ?? null,
  };
}
