import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SCHEMA_NAMES, schemaOf } from '../src/operations/schemas.ts';

/** `npm run schemas`: writes `docs/schemas` anew from the contract. */
const FOLDER = fileURLToPath(new URL('../docs/schemas/', import.meta.url));
mkdirSync(FOLDER, { recursive: true });
for (const name of SCHEMA_NAMES) writeFileSync(`${FOLDER}${name}.json`, `${JSON.stringify(schemaOf(name), null, 2)}\n`);
