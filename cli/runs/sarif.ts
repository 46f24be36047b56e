import { createHash } from 'node:crypto';
import { isAbsolute, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readTestFiles } from '../tests/read-files.ts';
import type { TestFile } from '../tests/test-file.ts';
import { type Cell, callerOf, type Names, type RunDocument, spaced, titleOf, whyOf } from './messages.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/**
 * Cells that did not pass, as SARIF, each on the line of its test's file, so that a code host shows it there: of the
 * criterion that was not met where it is one of the file's, else of the test.
 * @param folder with the test files.
 */
export async function sarifOf(document: RunDocument, names: Names, folder: string): Promise<string> {
  const { files } = await readTestFiles([folder]);
  const byId = new Map(files.map((file) => [file.id, file]));
  const results = document.cells
    .filter(({ result }) => result !== 'passed')
    .flatMap((cell) => {
      const file = byId.get(cell.testId.toLowerCase());
      return file ? [resultOf(cell, names, file)] : [];
    });
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }));
  const run = { tool: { driver: { name: 'Earshot', rules } }, results };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function resultOf(cell: Cell, names: Names, file: TestFile) {
  const text = `${titleOf(cell, names)} [${callerOf(cell, names)}]: ${spaced(cell.result)}. ${whyOf(cell)}`.trim();
  return {
    ruleId: `earshot/${cell.result}`,
    level: cell.gates ? 'error' : 'warning',
    message: { text },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file.path) },
          region: { startLine: lineOf(cell, file) },
        },
      },
    ],
    partialFingerprints: {
      earshotCell: createHash('sha256').update(`${cell.testId} ${cell.persona}`).digest('hex').slice(0, 32),
    },
  };
}

/** Relative to where the command runs, which in a pipeline is the checkout. */
function uriOf(path: string): string {
  const fromHere = relative('', path);
  return isAbsolute(fromHere) ? pathToFileURL(path).href : encodeURI(fromHere.replaceAll('\\', '/'));
}

function lineOf(cell: Cell, file: TestFile): number {
  const unmet = cell.criteria.findIndex(({ met }) => met !== true);
  return file.lineOf(unmet < 0 ? 'title' : `spec.criteria[${unmet}]`);
}
