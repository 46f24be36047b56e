import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { differenceOf, LANDED_READINGS, landedReadings, objectionTo, readingsNow } from './readings.ts';

/** `npm run readings`: writes down what the analyser reads, where its version was raised if it reads otherwise. */
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

const now = readingsNow();
const landed = landedReadings(PROJECT);
const objection = objectionTo(now, landed);
if (objection === null) {
  process.stdout.write(`${differenceOf(now, landed)}\n`);
  writeFileSync(join(PROJECT, LANDED_READINGS), `${JSON.stringify(now, null, 2)}\n`);
} else {
  process.stderr.write(`${objection}\n`);
  process.exitCode = 1;
}
