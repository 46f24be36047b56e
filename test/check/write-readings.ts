import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JUDGED_FIGURES, judgedFiguresNow, landedFigures, worseThan } from './judged-figures.ts';
import { differenceOf, LANDED_READINGS, landedReadings, objectionTo, readingsNow } from './readings.ts';

/** `npm run readings`: writes down what the analyser reads and how right it is on judged businesses, where both may land. */
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

const now = readingsNow();
const landed = landedReadings(PROJECT);
const figures = judgedFiguresNow();
const objection = objectionTo(now, landed) ?? worseThan(figures, landedFigures(PROJECT));
if (objection === null) {
  process.stdout.write(`${differenceOf(now, landed)}\n`);
  writeFileSync(join(PROJECT, LANDED_READINGS), `${JSON.stringify(now, null, 2)}\n`);
  writeFileSync(join(PROJECT, JUDGED_FIGURES), `${JSON.stringify(figures, null, 2)}\n`);
} else {
  process.stderr.write(`${objection}\n`);
  process.exitCode = 1;
}
