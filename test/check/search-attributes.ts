import { readTemporalDevFile } from '../../packages/embedded/temporal-dev-file.ts';
import { SEARCH_ATTRIBUTES } from '../../src/temporal/search-attributes.ts';
import type { CheckResult } from './check.ts';

/** The attributes that workflows carry are those that the local server is started with. */
export function searchAttributes(): CheckResult {
  const inFile = readTemporalDevFile().searchAttributes;
  const inCode: Record<string, string> = SEARCH_ATTRIBUTES;
  const names = [...new Set([...Object.keys(inFile), ...Object.keys(inCode)])];
  const findings = names
    .filter((name) => inFile[name] !== inCode[name])
    .map(
      (name) =>
        `${name} is ${inCode[name] ?? 'missing'} in the code and ${inFile[name] ?? 'missing'} in temporal-dev.yaml`,
    );
  return { ok: findings.length === 0, text: `${names.length} attributes`, details: findings.join('\n') };
}
