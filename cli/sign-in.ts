import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Problem } from './problem.ts';
import type { Session } from './session.ts';

export interface SignInOptions {
  email?: string;
  link?: string;
}

/** Stores a session in `cli.json`. The password is asked for, or taken from EARSHOT_PASSWORD; never from the command line. */
export async function signIn({ client, print }: Session, options: SignInOptions): Promise<void> {
  if (options.link !== undefined) {
    const secret = /[A-Za-z0-9_-]{20,}\/?$/.exec(options.link)?.[0].replace('/', '');
    if (!secret) throw new Problem('This does not look like a sign-in link.');
    const password = await askPassword('New password (10 characters or more): ');
    await client.useLink(secret, { password, ...(options.email === undefined ? {} : { email: options.email }) });
  } else {
    const email = options.email ?? (await ask('E-mail: '));
    await client.signIn(email, await askPassword('Password: '));
  }
  print.line(`Signed in at ${client.url}.`);
}

async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Problem('Give the address with --email.');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(question)).trim();
  } finally {
    prompt.close();
  }
}

async function askPassword(question: string): Promise<string> {
  if (process.env.EARSHOT_PASSWORD) return process.env.EARSHOT_PASSWORD;
  if (!process.stdin.isTTY) throw new Problem('There is no terminal to ask at: set EARSHOT_PASSWORD.');
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
