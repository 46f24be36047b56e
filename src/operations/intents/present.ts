import type { IntentResource } from '../../contract/intent.ts';
import type { IntentView } from '../../db/intents/read-intents.ts';

export function presentIntent(row: IntentView): IntentResource {
  const { id, kind, slug, label, parentSlug, calls, aliases, named } = row;
  return { object: 'intent', id, kind, slug, label, parentSlug, calls, aliases, named };
}
