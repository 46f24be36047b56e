import type { Schemas } from './api.ts';

/** The server's refusal, as every other request shows it, where the answer is read by hand. */
export class Refused extends Error {
  readonly error: Schemas['Error']['error'];

  constructor({ error }: Schemas['Error']) {
    super(error.message);
    this.error = error;
  }
}
