import { z } from 'zod';
import { ROLES } from '../domain/vocabulary.ts';
import { timestamp, uuid } from './common.ts';

export const sessionToken = z
  .strictObject({ token: z.string(), expiresAt: timestamp })
  .meta({ id: 'SessionToken', description: 'A bearer token that lives about a minute.' });
export type SessionToken = z.infer<typeof sessionToken>;

export const person = z
  .strictObject({ id: uuid, email: z.string(), name: z.string(), workspaceId: uuid, role: z.enum(ROLES) })
  .meta({ id: 'Person' });

export const signedIn = z.strictObject({ token: z.string(), expiresAt: timestamp, person }).meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof signedIn>;

export const signedOut = z.strictObject({ signedOut: z.literal(true) }).meta({ id: 'SignedOut' });

export const signInMethods = z
  .strictObject({
    object: z.literal('sign_in_methods'),
    password: z.literal(true),
    provider: z
      .strictObject({ name: z.string(), url: z.string() })
      .nullable()
      .describe(
        'The sign-in of the organization, and the address that a browser opens for it; null where none is set up.',
      ),
  })
  .meta({ id: 'SignInMethods' });
