import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientDocument, generatedHeader } from '../../api/client-document.ts';
import type { CheckResult } from './check.ts';

/** The types of the web app's client say what the operations say now, and nobody edited them. */
export function clientTypes(project: string): CheckResult {
  const text = readFileSync(join(project, 'web/client/schema.d.ts'), 'utf8');
  const types = text.slice(text.indexOf('\n') + 1);
  const ok = text === generatedHeader(clientDocument(), types) + types;
  return {
    ok,
    text: 'web/client/schema.d.ts is made from the operations',
    details: ok ? '' : 'The operations have changed: run `npm run client-types` and commit web/client/schema.d.ts.',
  };
}
