import { fileURLToPath } from 'node:url';
import { createSteps } from '../../packages/embedded/steps.js';
import { blockingMigrations } from './blocking-migrations.ts';
import type { CheckResult } from './check.ts';
import { clientTypes } from './client-types.ts';
import { contractingMigrations } from './contracting-migrations.ts';
import { outsideTheFence } from './fence.ts';
import { judgedFigures } from './judged-figures.ts';
import { loads } from './loads.ts';
import { lockFile } from './lock-file.ts';
import { lostWorkflows } from './lost-workflows.ts';
import { entitiesMatchMigrations } from './migrations.ts';
import { patterns } from './patterns.ts';
import { phrases } from './phrases.ts';
import { program } from './program.ts';
import { readings } from './readings.ts';
import { roomRules } from './rooms.ts';
import { searchAttributes } from './search-attributes.ts';
import { toolWords } from './tool-words.ts';
import { words } from './words.ts';

/** `npm run check`: every check runs, each is a line with its time, and one that fails makes the whole fail. */
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CHECKS: [title: string, check: () => CheckResult | Promise<CheckResult>][] = [
  ['types', () => program(PROJECT, 'tsc', ['--noEmit', '-p', '.'], 'tsc')],
  ['types of the web app', () => program(PROJECT, 'tsc', ['--noEmit', '-p', 'web'], 'tsc')],
  ['client types', () => clientTypes(PROJECT)],
  ['lint', () => program(PROJECT, 'oxlint', ['--type-aware', '--quiet'], 'oxlint, type-aware')],
  ['format', () => program(PROJECT, 'biome', ['check', '--max-diagnostics=20'], 'biome')],
  ['rooms', () => roomRules(PROJECT)],
  ['words', () => words(PROJECT)],
  ['loads', () => loads(PROJECT)],
  ['regular expressions', () => patterns(PROJECT)],
  ['phrases', () => phrases(PROJECT)],
  ['fence', () => outsideTheFence(PROJECT)],
  ['migrations', entitiesMatchMigrations],
  ['blocking migrations', () => blockingMigrations(PROJECT)],
  ['contracting migrations', () => contractingMigrations(PROJECT)],
  ['readings', () => readings(PROJECT)],
  ['judged figures', () => judgedFigures(PROJECT)],
  ['search attributes', searchAttributes],
  ['tool words', toolWords],
  ['lost workflows', () => lostWorkflows(PROJECT)],
  ['lock file', () => lockFile(PROJECT)],
];

const steps = createSteps(process.stdout);
const outcomes = await Promise.all(
  CHECKS.map(async ([title, check]) => {
    const step = steps.begin(title, { everyMs: 10_000 });
    const result = await Promise.resolve()
      .then(check)
      .catch((error: Error) => ({ ok: false, text: 'could not run', details: error.stack ?? error.message }));
    if (result.ok) step.done(result.text);
    else step.failed(result.text);
    return { title, ...result };
  }),
);
const failed = outcomes.filter((outcome) => !outcome.ok);
for (const { title, details } of failed) steps.say(`\n${title}:\n${details}`);
steps.say(failed.length === 0 ? '\nAll checks passed.' : `\n${failed.length} of ${outcomes.length} checks failed.`);
for (const { title, text } of failed) steps.say(`Failed check: ${title}: ${text}`);
process.exit(failed.length === 0 ? 0 : 1);
