import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Problem } from './problem.ts';

/** @throws Problem where nobody sits at a terminal: `otherwise` says what to do instead. */
export async function ask(question: string, otherwise: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Problem(otherwise);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(question)).trim();
  } finally {
    prompt.close();
  }
}

/** Asks for a secret without showing it, or takes it from a variable; never from the command line, which others see. */
export async function askSecret(question: string, variable: string): Promise<string> {
  const set = process.env[variable];
  if (set) return set;
  if (!process.stdin.isTTY) throw new Problem(`There is no terminal to ask at: set ${variable}.`);
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await prompt.question('');
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}
