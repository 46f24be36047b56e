import { type Access, readAccess } from './access.ts';
import { type Client, createClient } from './client.ts';
import { createPrinter, type Printer } from './print.ts';

/** What every command is given. */
export interface Session {
  access: Access;
  client: Client;
  print: Printer;
  json: boolean;
}

export function openSession(options: { json?: boolean }): Session {
  const access = readAccess(process.env);
  const print = createPrinter(process.stdout, process.stderr, process.env);
  return {
    access,
    client: createClient(access, print.note),
    print,
    json: options.json === true,
  };
}
