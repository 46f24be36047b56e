import { ask, askSecret } from './ask.ts';
import { Problem } from './problem.ts';
import type { Session } from './session.ts';

export interface SignInOptions {
  email?: string;
  link?: string;
}

/** Stores a session in `cli.json`. The password is asked for, or taken from EARSHOT_PASSWORD; never from the command line. */
export async function signIn({ client, print }: Session, options: SignInOptions): Promise<void> {
  if (options.link !== undefined) {
    const secret = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{20,}$/.exec(options.link)?.[0];
    if (!secret) throw new Problem('This does not look like a sign-in link.');
    const password = await askSecret('New password (10 characters or more): ', 'EARSHOT_PASSWORD');
    await client.useLink(secret, { password, ...(options.email === undefined ? {} : { email: options.email }) });
  } else {
    const email = options.email ?? (await ask('E-mail: ', 'Give the address with --email.'));
    await client.signIn(email, await askSecret('Password: ', 'EARSHOT_PASSWORD'));
  }
  print.line(`Signed in at ${client.url}.`);
}
