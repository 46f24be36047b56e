// Says on the lines of the test files what did not pass, from the SARIF that the command line wrote.
import { readFile } from 'node:fs/promises';

/** @param {string} text */
const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
/** @param {string} text */
const property = (text) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const { runs } = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));
for (const { level, message, locations } of runs[0].results) {
  const { artifactLocation, region } = locations[0].physicalLocation;
  const place = `file=${property(decodeURI(artifactLocation.uri))},line=${region.startLine}`;
  process.stdout.write(`::${level} ${place},title=Earshot::${escaped(message.text)}\n`);
}
